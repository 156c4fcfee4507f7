import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

test('200 ok: without credentials', async () => {
  const { status, body } = await service.call('GET', '/healthz');
  expect([status, body]).toEqual([200, { status: 'ok' }]);
});

test('200 ok: while the database does not answer', async () => {
  const alone = await createService();
  await alone.context.db.destroy();
  expect((await alone.call('GET', '/healthz')).status).toBe(200);
  await alone.close();
});
