import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Atelier } from '../client/atelier.ts';

test('after a lost connection a GET is sent again, and a POST without a key is not', async () => {
  const seen: (string | undefined)[] = [];
  const server = createServer(({ method, socket }) => {
    seen.push(method);
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const atelier = new Atelier({ url, token: 'a-token', retries: 1 });
  for (const call of [atelier.startPortal(), atelier.readMe()])
    await expect(call).rejects.toMatchObject({ code: 'unreachable' });
  expect(seen.toSorted()).toEqual(['GET', 'GET', 'POST']);
  server.close();
});
