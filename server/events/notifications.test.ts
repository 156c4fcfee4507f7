import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { openNotifications } from './notifications.ts';

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const log = { warn: () => {} };
const account = '01a2009e-7731-700f-86a4-533c2a19ec1b';

test('another process hears which accounts have new events, and nothing of one that starts', async () => {
  const heard: (string[] | null)[] = [];
  const one = openNotifications(service.databaseUrl, (ids) => heard.push(ids), log);
  await vi.waitFor(() => expect(one.areHeard()).toBe(true));
  heard.length = 0;
  const two = openNotifications(service.databaseUrl, () => {}, log);
  await vi.waitFor(() => expect(two.areHeard()).toBe(true));
  two.send([account]);
  await vi.waitFor(() => expect(heard).toEqual([[account]]));
  two.send(Array.from({ length: 301 }, (_, n) => account.slice(0, -3) + String(100 + n)));
  await vi.waitFor(() => expect(heard).toEqual([[account], null]));
  await Promise.all([one.close(), two.close()]);
});
