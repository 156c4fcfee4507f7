import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createServer as createTls, type Server as TlsServer } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { certificateKey, certificates } from '../support/certificates.ts';
import { createStudio, makeMoves, newJobIn, type Studio } from '../support/jobs.ts';

/** The command line in a network where only the proxy reaches the service, in processes of their own. */

const host = 'other.example';
let studio: Studio;
let folder: string;
let tls: TlsServer;
let proxy: Server;
let asked: string[] = [];

const portOf = (server: Server | TlsServer) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  studio = await createStudio({ PUBLIC_URL: `https://${host}` });
  folder = mkdtempSync(join(tmpdir(), 'atelier-proxy-'));
  writeFileSync(join(folder, 'ca.pem'), certificates.otherName);
  writeFileSync(join(folder, 'brief.txt'), 'Green.');
  const service = Number(new URL(studio.service.url).port);
  tls = createTls({ key: certificateKey, cert: certificates.otherName }, (socket) => {
    const onward = connect(service, '127.0.0.1');
    for (const end of [socket, onward]) end.on('error', () => end.destroy());
    socket.pipe(onward).pipe(socket);
  }).listen(0, '127.0.0.1');
  proxy = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.writeHead(502).end();
  });
  proxy.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    const onward = connect(portOf(tls), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket);
      socket.pipe(onward);
    });
    for (const end of [socket, onward]) end.on('error', () => end.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await Promise.all([tls, proxy].map((server) => once(server, 'listening')));
}, 120_000);
beforeEach(() => void (asked = []));
afterAll(async () => {
  for (const server of [tls, proxy]) server.close();
  proxy.closeAllConnections();
  await studio.service.close();
  rmSync(folder, { recursive: true });
});

const main = join(import.meta.dirname, '../../client/cli/main.ts');

async function atelier(args: string[], env: Record<string, string>) {
  const own = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: 'ca.pem', XDG_CONFIG_HOME: folder };
  const connection = { ATELIER_URL: `https://${host}`, ATELIER_KEY: studio.key };
  const child = spawn(process.execPath, [main, ...args], { cwd: folder, env: { ...own, ...connection, ...env } });
  child.stdin.end();
  const ended = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err, code: (await ended)[0] };
}
const at = () => `http://127.0.0.1:${portOf(proxy)}`;

test('commands, an upload and a stream go through HTTPS_PROXY, with its password', async () => {
  const env = { HTTPS_PROXY: at().replace('//', '//ada:secret@') };
  expect(await atelier(['whoami', '--json'], env)).toMatchObject({ code: 0, err: '' });
  const uploaded = await atelier(['upload', 'brief.txt', '--json'], env);
  expect([uploaded.code, JSON.parse(uploaded.out).status]).toEqual([0, 'uploaded']);
  const id = await newJobIn(studio, 'running');
  const watching = atelier(['watch', id], env);
  await makeMoves(studio, id, 'submit', 'pass');
  expect(await watching).toMatchObject({ code: 0, out: expect.stringContaining('job.ready_for_customer_review') });
  expect(new Set(asked)).toEqual(new Set([`CONNECT ${host}:443 Basic ${btoa('ada:secret')}`]));
}, 60_000);

test('lower case counts first, and an address may have no scheme', async () => {
  const env = { https_proxy: at().replace('http://', ''), HTTPS_PROXY: 'http://127.0.0.1:9' };
  expect((await atelier(['whoami'], env)).code).toBe(0);
});

test('NO_PROXY lists hosts that are asked directly', async () => {
  const { code } = await atelier(['whoami'], { HTTPS_PROXY: at(), NO_PROXY: `localhost,${host}` });
  expect([code, asked]).toEqual([7, []]);
}, 60_000);

test('this machine is never asked through a proxy, which would read the key', async () => {
  const { url } = studio.service;
  for (const name of ['127.0.0.1', 'localhost'])
    await atelier(['whoami'], { HTTP_PROXY: at(), ATELIER_URL: url.replace('127.0.0.1', name) });
  expect(asked).toEqual([]);
  const elsewhere = { HTTP_PROXY: at(), ATELIER_URL: 'http://127.0.0.2:1' };
  expect(await atelier(['whoami'], elsewhere)).toMatchObject({ err: expect.stringContaining('No key is sent') });
}, 60_000);

test.each([
  ['http://127.0.0.1:9', 'The request went through the proxy in HTTPS_PROXY'],
  ['socks5://127.0.0.1:9', 'HTTPS_PROXY is not the address of a proxy'],
])(
  'a service that cannot be reached names the variable, where it has %s',
  async (address, said) => {
    const { code, err } = await atelier(['api', 'readCatalog'], { HTTPS_PROXY: address });
    expect([code, err]).toEqual([7, expect.stringContaining(said)]);
  },
  60_000,
);

test('a Node that reads the variables only at its start is started again; it gets the signals', async () => {
  const older = `const { default: http } = await import('node:http');
    delete http.setGlobalProxyFromEnv;
    const { throughProxy } = await import(${JSON.stringify(join(main, '../proxy.ts'))});
    process.exitCode = await throughProxy(process, async () => {
      console.log(process.env.NODE_USE_ENV_PROXY, process.env.no_proxy);
      if (process.env.STAY) await new Promise((resolve) => setTimeout(resolve, 60_000));
      return 3;
    });`;
  writeFileSync(join(folder, 'older.mjs'), older);
  const start = (env: object) =>
    spawn(process.execPath, ['older.mjs'], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HTTPS_PROXY: at(), ...env },
    });
  const child = start({});
  expect(await text(child.stdout)).toMatch(/^1 localhost,/);
  expect((await once(child, 'close'))[0]).toBe(3);
  const staying = start({ STAY: '1' });
  await once(staying.stdout, 'data');
  staying.kill('SIGTERM');
  expect(await once(staying, 'close')).toEqual([null, 'SIGTERM']);
}, 60_000);
