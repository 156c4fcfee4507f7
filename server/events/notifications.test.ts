import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { openNotifications } from './notifications.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const log = { warn: () => {} };
const account = '01a2009e-7731-700f-86a4-533c2a19ec1b';

test('another process hears which accounts have new events, and nothing about a starting process', async () => {
  const heard: (string[] | null)[] = [];
  const first = openNotifications(service.context.db, service.databaseUrl, (ids) => heard.push(ids), log);
  await vi.waitFor(() => expect(first.areHeard()).toBe(true), { timeout: 30_000 });
  heard.length = 0;
  const two = openNotifications(service.context.db, service.databaseUrl, () => {}, log);
  await vi.waitFor(() => expect(two.areHeard()).toBe(true), { timeout: 30_000 });
  two.send([account]);
  await vi.waitFor(() => expect(heard).toEqual([[account]]), { timeout: 30_000 });
  two.send(Array.from({ length: 301 }, (_, n) => account.slice(0, -3) + String(100 + n)));
  await vi.waitFor(() => expect(heard).toEqual([[account], null]), { timeout: 30_000 });
  await Promise.all([first.close(), two.close()]);
});

/** A proxy to the database that can silently drop notifications, as a transaction pooler does. */
async function createLossyWay(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const socketIn = (folder: string) => join(folder, `.s.PGSQL.${target.port || 5432}`);
  const folder = await mkdtemp(join(tmpdir(), 'atelier-way-'));
  let loses = false;
  const server = createServer((socket) => {
    const upstream = connect(socketIn(target.searchParams.get('host') ?? ''));
    socket.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    upstream.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.pipe(upstream);
    let rest = Buffer.alloc(0);
    upstream.on('data', (bytes: Buffer) => {
      rest = Buffer.concat([rest, bytes]);
      // Each message is a letter and a length; A is a notification.
      for (let length = 0; rest.length >= 5 && rest.length >= (length = 1 + rest.readInt32BE(1));) {
        const message = rest.subarray(0, length);
        rest = rest.subarray(length);
        const isNotification = message[0] === 'A'.charCodeAt(0);
        if (!loses || !isNotification) socket.write(message);
      }
    });
  }).listen(socketIn(folder));
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.searchParams.set('host', folder);
  const close = async () => {
    server.close();
    await rm(folder, { recursive: true });
  };
  return { url: url.href, lose: () => void (loses = true), close };
}

test('silently lost notifications are detected at the second probe and logged once', async () => {
  const way = await createLossyWay(service.databaseUrl);
  const [warned, heard]: [string[], (string[] | null)[]] = [[], []];
  const warn = (_: object, words: string) => void warned.push(words);
  const first = openNotifications(service.context.db, way.url, (ids) => heard.push(ids), { warn });
  const two = openNotifications(service.context.db, service.databaseUrl, () => {}, log);
  for (const each of [first, two]) await vi.waitFor(() => expect(each.areHeard()).toBe(true), { timeout: 30_000 });
  await wait(2_100); // it warns after two seconds in which it has not heard itself
  warned.length = 0;
  /** A notification that is sent later is read later. */
  const untilProbed = async () => {
    await first.probe();
    heard.length = 0;
    two.send([account]);
    await expect.poll(() => heard).toContainEqual([account]);
  };
  await untilProbed();
  await untilProbed();
  expect([first.areHeard(), warned]).toEqual([true, []]);
  way.lose();
  for (let n = 0; n < 4; n++) await first.probe();
  expect([first.areHeard(), warned]).toEqual([false, [expect.stringContaining('as behind a transaction pooler')]]);
  await Promise.all([first.close(), two.close()]);
  await way.close();
});
