import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../test/faults/process.ts';
import { createStudio, newJob, type Studio } from '../test/support/jobs.ts';

/** The client as a bundle in Workers' own runtime, which has neither XMLHttpRequest nor `process`. */

const secret = `whsec_${Buffer.from('a secret of 24 bytes or so').toString('base64')}`;
let studio: Studio;
let folder: string;
let runtime: ChildProcess;
let address: string;

beforeAll(async () => {
  const [port, own] = [await freePort(), await freePort()];
  studio = await createStudio({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
  folder = mkdtempSync(join(tmpdir(), 'atelier-workers-'));
  const bundle = await rolldown({ input: join(import.meta.dirname, 'worker.ts'), platform: 'browser' });
  await bundle.write({ file: join(folder, 'worker.js') });
  const bindings = Object.entries({ URL: studio.service.url, TOKEN: studio.key, SECRET: secret });
  writeFileSync(
    join(folder, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [(name = "main", worker = .main), (name = "internet", network = (allow = ["private", "public"]))],
      sockets = [(name = "http", address = "127.0.0.1:${own}", http = (), service = "main")]
    );
    const main :Workerd.Worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2025-06-01",
      bindings = [${bindings.map(([name, text]) => `(name = "${name}", text = "${text}")`).join(', ')}]
    );`,
  );
  runtime = spawn(join(import.meta.dirname, 'node_modules/workerd/bin/workerd'), ['serve', 'config.capnp'], {
    cwd: folder,
    stdio: 'ignore',
  });
  address = `http://127.0.0.1:${own}`;
  await vi.waitFor(() => fetch(address), { timeout: 30_000 });
}, 120_000);
afterAll(async () => {
  runtime?.kill();
  await studio.service.close();
  rmSync(folder, { recursive: true });
});

async function step(path: string, init?: RequestInit) {
  const answer = await fetch(address + path, init);
  return { status: answer.status, body: await answer.json() };
}

test('it reads, follows events and verifies a webhook', async () => {
  expect(await step('/me')).toEqual({ status: 200, body: 'api_key' });
  await newJob(studio.service, studio.key);
  expect(await step('/event')).toEqual({ status: 200, body: 'job.created' });
  const [id, now] = ['evt_1', new Date()];
  const body = JSON.stringify({ data: { id } });
  const signature = new Webhook(secret).sign(id, now, body);
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signature,
  };
  expect(await step('/webhook', { method: 'POST', headers, body })).toEqual({ status: 200, body: id });
});

test('it uploads a Blob with its length', async () => {
  const { status, body } = await step('/upload');
  expect([status, body]).toEqual([
    200,
    expect.objectContaining({
      status: 'uploaded',
      file_name: 'colours.txt',
      content_type: 'text/plain',
      size_bytes: 21,
    }),
  ]);
});

test('a service that cannot be reached is `unreachable`, and what Workers cannot do is not', async () => {
  expect((await step('/nobody')).body).toMatchObject({ name: 'AtelierError', code: 'unreachable' });
  expect((await step('/path')).body).toEqual({ name: 'TypeError', message: 'Only Node reads a path. Pass a Blob.' });
});
