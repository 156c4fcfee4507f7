import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createService, type Service } from '../../test/support/harness.ts';
import { openNotifications } from './notifications.ts';

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const log = { warn: () => {} };
const account = '01a2009e-7731-700f-86a4-533c2a19ec1b';

test('another process hears which accounts have new events, and nothing about a starting process', async () => {
  const heard: (string[] | null)[] = [];
  const first = openNotifications(service.context.db, service.databaseUrl, (ids) => heard.push(ids), log);
  await vi.waitFor(() => expect(first.areHeard()).toBe(true));
  heard.length = 0;
  const two = openNotifications(service.context.db, service.databaseUrl, () => {}, log);
  await vi.waitFor(() => expect(two.areHeard()).toBe(true));
  two.send([account]);
  await vi.waitFor(() => expect(heard).toEqual([[account]]));
  two.send(Array.from({ length: 301 }, (_, n) => account.slice(0, -3) + String(100 + n)));
  await vi.waitFor(() => expect(heard).toEqual([[account], null]));
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
        if (!loses || message[0] !== 'A'.charCodeAt(0)) socket.write(message);
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
  const warned: string[] = [];
  const first = openNotifications(service.context.db, way.url, () => {}, { warn: (_, words) => warned.push(words) });
  await vi.waitFor(() => expect(first.areHeard()).toBe(true));
  const settle = () => new Promise((done) => setTimeout(done, 1_000));
  await first.probe();
  await settle();
  await first.probe();
  expect([first.areHeard(), warned]).toEqual([true, []]);
  await settle();
  way.lose();
  for (let n = 0; n < 4; n++) {
    await first.probe();
    await settle();
  }
  expect([first.areHeard(), warned]).toEqual([false, [expect.stringContaining('as behind a transaction pooler')]]);
  await first.close();
  await way.close();
});
