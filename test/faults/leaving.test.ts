import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { connect as connectTo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isAlive } from '../../server/embedded-postgres/orphans.ts';
import { environment } from '../support/harness.ts';
import { connect, postmasterOf } from './postgres.ts';
import { freePort, openFolder, removeFolder } from './process.ts';

/** Whichever way the service ends, it leaves nothing behind. */

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

const root = resolve(import.meta.dirname, '..', '..');

/** The service with an embedded Postgres, started by `command` in a process group of its own. */
async function start(command: string[], { stdout = 'ignore' }: { stdout?: 'ignore' | number } = {}) {
  const [folder, port] = [await openFolder(), await freePort()];
  const { PATH, HOME } = process.env;
  const [file = '', ...argv] = command;
  const child = spawn(file, argv, {
    cwd: root,
    env: { PATH, HOME, ...environment, LOG_LEVEL: 'info', DATA_DIR: folder, PORT: String(port) },
    detached: true,
    stdio: ['ignore', stdout, 'inherit'],
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid ?? 0), 'SIGKILL');
    for (const pid of leftOf(folder)) process.kill(pid, 'SIGKILL');
    await removeFolder(folder);
  });
  const url = `http://127.0.0.1:${port}`;
  const serves = async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200;
  await expect.poll(serves, { timeout: 90_000, interval: 100 }).toBe(true);
  return { child, folder, port, url, ended };
}

/** Processes that have this folder in their command: Postgres, its watcher, and what else was given it. */
function leftOf(folder: string): number[] {
  const { stdout } = spawnSync('pgrep', ['-f', folder], { encoding: 'utf8' });
  return stdout.split('\n').filter(Boolean).map(Number).filter(isAlive);
}

async function expectNothingLeft({ child, folder, port }: Awaited<ReturnType<typeof start>>) {
  await expect.poll(() => leftOf(folder)).toEqual([]);
  const postmaster = postmasterOf(folder);
  expect(postmaster !== null && isAlive(postmaster)).toBe(false);
  expect(() => process.kill(-(child.pid ?? 0), 0)).toThrow('ESRCH');
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
}

/** Reads that go on until the service answers no more: how many were answered, and with what. */
function readOnAndOn(url: string) {
  const statuses = new Set<number>();
  const readers = Array.from({ length: 8 }, async () => {
    for (;;) {
      const answer = await fetch(`${url}/api/v1/catalog`).catch(() => null);
      if (!answer) return;
      await answer.arrayBuffer().catch(() => {});
      statuses.add(answer.status);
    }
  });
  return { statuses, done: Promise.all(readers) };
}

test('SIGTERM to npm start under load: what runs is finished, exit 0, the port is free, no process is left', async () => {
  const service = await start(['npm', 'start']);
  const load = readOnAndOn(service.url);
  await wait(1_000);
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual([0, null]);
  await load.done;
  expect([...load.statuses]).toEqual([200]);
  await expectNothingLeft(service);
});

test('SIGTERM with requests that do not end by themselves: they are ended, exit 0, and Postgres ends too', async () => {
  const service = await start([process.execPath, 'server/main.ts']);
  const keyFile = join(service.folder, 'demo-key');
  await expect.poll(() => existsSync(keyFile) && readFileSync(keyFile, 'utf8')).toBeTruthy();
  const headers = { authorization: `Bearer ${readFileSync(keyFile, 'utf8')}` };
  const outside = await connect(service.folder);
  const busy = outside.query('select pg_sleep(60)').catch(() => {});
  const stream = await fetch(`${service.url}/api/v1/events/stream`, { headers });
  expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  // Somebody who never sends the rest.
  const sender = connectTo(service.port, '127.0.0.1').on('error', () => {});
  sender.write(
    'POST /api/v1/jobs HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  );
  await wait(300);
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual([0, null]);
  await stream.text().catch(() => {});
  sender.destroy();
  await expectNothingLeft(service);
  await busy;
  await outside.end().catch(() => {});
});

test('SIGTERM cuts off an archive whose reader is slow: it is broken, and the service ends', async () => {
  const service = await start([process.execPath, 'server/main.ts']);
  const keyFile = join(service.folder, 'demo-key');
  await expect.poll(() => existsSync(keyFile) && readFileSync(keyFile, 'utf8')).toBeTruthy();
  const post = async (path: string, body: object = {}) => {
    const headers = { authorization: `Bearer ${readFileSync(keyFile, 'utf8')}`, 'content-type': 'application/json' };
    const answer = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (answer.status > 299) throw new Error(await answer.text());
    return answer.json();
  };
  const bytes = Buffer.alloc(50e6, 'a');
  const wish = { purpose: 'job_source', file_name: 'notes.txt', content_type: 'text/plain', size_bytes: bytes.length };
  const { file, upload } = await post('/api/v1/files/presign', wish);
  expect((await fetch(upload.url, { method: 'PUT', headers: upload.headers, body: bytes })).status).toBe(200);
  await post(`/api/v1/files/${file.id}/complete`);
  const { job } = await post('/api/v1/jobs', {
    service_family: 'design',
    service_type: 'logo',
    customer_title: 'Logo',
    customer_instructions:
      'Brand name: Rise Bakery\n\nTarget audience: Neighbours of the shop on Mill Road\n\nStyle preferences: Warm and hand-made',
    file_ids: [file.id],
  });
  const { download } = await post(`/api/v1/jobs/${job.id}/archive`);
  const answer = await fetch(download.url);
  const reader = answer.body!.getReader();
  let read = (await reader.read()).value?.length ?? 0;
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual([0, null]);
  const rest = async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) read += next.value.length;
  };
  await expect(rest()).rejects.toThrow();
  expect(read).toBeLessThan(Number(answer.headers.get('content-length')));
  await expectNothingLeft(service);
});

test('an exit that a second SIGTERM forces ends Postgres too', async () => {
  const service = await start([process.execPath, 'server/main.ts']);
  const outside = await connect(service.folder);
  await outside.query('begin');
  await outside.query('lock table people in access exclusive mode');
  void fetch(`${service.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'a@example.com', password: 'correct horse battery' }),
  }).catch(() => null);
  await wait(300);
  service.child.kill('SIGTERM');
  await wait(1_200);
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual([1, null]);
  await expectNothingLeft(service);
  await outside.end().catch(() => {});
});

test.runIf(process.platform === 'linux')('a full disk under the log costs lines, and not the service', async () => {
  const full = openSync('/dev/full', 'w');
  const service = await start([process.execPath, 'server/main.ts'], { stdout: full });
  closeSync(full);
  for (let n = 0; n < 20; n++) expect((await fetch(`${service.url}/api/v1/catalog`)).status).toBe(200);
  await wait(1_500);
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  service.child.kill('SIGTERM');
  expect(await service.ended).toEqual([0, null]);
  await expectNothingLeft(service);
});

test('half a minute after kill -9 Postgres ends, unless another start has adopted it', async () => {
  const service = await start([process.execPath, 'server/main.ts']);
  process.kill(service.child.pid ?? 0, 'SIGKILL');
  await service.ended;
  expect(leftOf(service.folder)).not.toEqual([]);
  await expect.poll(() => leftOf(service.folder), { timeout: 90_000, interval: 500 }).toEqual([]);
  await expectNothingLeft(service);
});
