import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
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

test('a fault of the program is thrown as it is, and not as a service that cannot be reached', async () => {
  const bodies = {
    '/api/v1/files/presign': { file: { id: 'file_1', status: 'pending_upload' }, upload: { url: '', headers: {} } },
  };
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method !== 'PUT') response.end(JSON.stringify(bodies[request.url as keyof typeof bodies] ?? {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  bodies['/api/v1/files/presign'].upload.url = `${url}/storage`;
  const fails = (error: Error) => () => {
    throw error;
  };
  const [ours, missing] = [new Error('the vault is locked'), new ReferenceError('process is not defined')];
  for (const fault of [ours, new SyntaxError('the secret is no JSON')])
    await expect(new Atelier({ url, token: fails(fault) }).readMe()).rejects.toBe(fault);
  await expect(new Atelier({ url, fetch: fails(missing) }).readMe()).rejects.toBe(missing);
  await expect(new Atelier({ url, fetch: async () => Promise.reject(missing) }).readMe()).rejects.toBe(missing);
  const circle: { metadata?: object } = {};
  circle.metadata = circle;
  await expect(new Atelier({ url }).createJob({ body: circle as never })).rejects.toThrow('circular');
  const atelier = new Atelier({ url });
  await expect(atelier.uploadFile(new Blob(['x']), { progress: fails(ours) })).rejects.toBe(ours);
  const torn = Object.assign(new Blob(['x']), { stream: () => new ReadableStream({ pull: fails(ours) }) });
  await expect(atelier.uploadFile(torn)).rejects.toBe(ours);
  bodies['/api/v1/files/presign'].upload.url = 'http://127.0.0.1:9/storage';
  const lost = new Atelier({ url, retries: 0 }).uploadFile(new Blob(['x']));
  await expect(lost).rejects.toMatchObject({ code: 'unreachable' });
  server.closeAllConnections();
  server.close();
});

test('a file has the type of its ending, whatever a browser or an old program calls it', async () => {
  const asked: string[] = [];
  const refuse = async (request: IncomingMessage, response: ServerResponse) => {
    asked.push(JSON.parse(await text(request)).content_type);
    response.writeHead(422, { 'content-type': 'application/json' }).end('{"error":{"code":"unsupported_file"}}');
  };
  const server = createServer((request, response) => void refuse(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const atelier = new Atelier({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  for (const [name, type] of [
    ['work.ZIP', 'application/x-zip-compressed'],
    ['table.csv', 'application/vnd.ms-excel'],
    ['photo.jpg', 'image/jpg'],
    ['notes.md', ''],
    ['sketch.xyz', 'image/png'],
    ['sketch', ''],
  ] as const)
    await expect(atelier.uploadFile(new File(['x'], name, { type }))).rejects.toMatchObject({
      code: 'unsupported_file',
    });
  const types = ['application/zip', 'text/csv', 'image/jpeg', 'text/markdown', 'image/png', 'application/octet-stream'];
  expect(asked).toEqual(types);
  server.close();
});
