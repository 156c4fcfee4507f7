import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { customerPages, deskPages } from '../../contract/pages.ts';
import { type StripeEmulator, openStripeEmulator } from '../../scripts/stripe-emulator.ts';
import { loadCatalog } from '../../server/catalog/load-catalog.ts';
import { pages } from '../../web/build/fingerprint.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/embedded-postgres/embedded-postgres.ts';
import type { Line } from '../../server/doctor/run-checks.ts';
import { type Mailbox, openMailbox } from '../faults/mailbox.ts';
import { type Ended, type Run as Command, runToEnd } from '../support/command-line.ts';
import { environment } from '../support/harness.ts';
import { freePort, openFolder, removeFolder, root, run, type Run, untilServing } from '../faults/process.ts';

/** An installation in production form, with the pages built, that `npm run admin -- doctor` runs beside. */
let folder: string;
let postgres: EmbeddedPostgres;
let mailbox: Mailbox;
let emulator: StripeEmulator;
let live: Server;
let service: Run;
let settings: Record<string, string>;
let released: Command;

beforeAll(async () => {
  folder = await openFolder();
  const [postgresFolder, dataDir] = ['postgres', 'data'].map((name) => join(folder, name)) as [string, string];
  mkdirSync(postgresFolder, { mode: 0o711 });
  postgres = await startEmbeddedPostgres(postgresFolder, () => {});
  mailbox = await openMailbox();
  emulator = await openStripeEmulator([...loadCatalog(join(root, 'catalog')).plans.values()]);
  live = await inLiveMode(emulator.url);
  const port = String(await freePort());
  settings = {
    NODE_ENV: 'production',
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    SECRET_KEY: '0123456789abcdefghijklmnopqrstuv',
    SMTP_URL: mailbox.url,
    STRIPE_SECRET_KEY: 'sk_live_emulated',
    STRIPE_API_URL: `http://127.0.0.1:${(live.address() as AddressInfo).port}`,
    STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdefghijklmnop',
    OPERATOR_EMAIL: 'desk@example.com',
    OPERATOR_PASSWORD: 'correct-horse-battery-staple',
  };
  emulator.webhookUrl = `${settings['PUBLIC_URL']}/api/stripe/webhook`;
  service = run(settings);
  await untilServing(settings['PUBLIC_URL'] ?? '', service);
  release(join(folder, 'release'));
  ({ run: released } = createRequire(import.meta.url)(join(folder, 'release/cli/run.ts')));
});
afterAll(async () => {
  service?.child.kill('SIGTERM');
  await service?.ended;
  live?.close();
  await emulator?.close();
  await mailbox?.close();
  await postgres?.stop();
  await removeFolder(folder);
});

/** The emulator has test mode only. */
async function inLiveMode(url: string): Promise<Server> {
  const server = createServer((request, response) => {
    void relay(url + (request.url ?? ''), request.headers.authorization ?? '').then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function relay(url: string, authorization: string): Promise<string> {
  const answer = await fetch(url, { headers: { authorization } });
  if (!answer.ok) throw new Error(`It answers ${answer.status}.`);
  return (await answer.text()).replaceAll(/"livemode":\s*false/g, '"livemode":true');
}

/** The files of an installation, whose pages are built. */
function release(to: string): void {
  for (const name of [
    'server',
    'cli',
    'client',
    'contract',
    'catalog',
    'migrations',
    'web',
    'package.json',
    'package-lock.json',
  ])
    cpSync(join(root, name), join(to, name), { recursive: true, filter: (path) => path !== join(root, 'web/dist') });
  symlinkSync(join(root, 'node_modules'), join(to, 'node_modules'));
  const dist = join(to, 'web/dist');
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, 'fingerprint'), pages.fingerprint());
  for (const [app, pages] of Object.entries({ customer: customerPages, desk: deskPages })) {
    mkdirSync(join(dist, app));
    for (const name of Object.keys(pages)) writeFileSync(join(dist, app, `${name}.html`), '<!doctype html>');
  }
}

const surroundings = (env: Record<string, string> = {}) => ({ env: { PATH: process.env.PATH, ...settings, ...env } });

/** The command of the release, in this process: it looks at the pages beside itself. */
const doctor = (words: string[] = [], env?: Record<string, string>) =>
  runToEnd(released, ['doctor', ...words], surroundings(env));

const linesOf = ({ out }: Ended) => (JSON.parse(out) as { doctor: { status: string; lines: Line[] } }).doctor;
const notOk = (ran: Ended) => linesOf(ran).lines.filter(({ status }) => status !== 'ok');

test('a healthy installation: all is ok, in words and as data, and the exit code is 0', async () => {
  const ran = await doctor(['--json']);
  expect(ran.err).toBe('');
  expect(notOk(ran)).toEqual([]);
  expect(linesOf(ran).status).toBe('ok');
  expect(linesOf(ran).lines.length).toBeGreaterThan(20);
  expect(ran.code).toBe(0);
  const words = await doctor();
  expect([words.code, words.err]).toEqual([0, '']);
  expect(words.out).toContain(`ok    public address: ${settings['PUBLIC_URL']} reaches this installation.\n`);
  expect(words.out).toMatch(/\n\d+ ok, 0 to look at, 0 broken\.\n$/);
  expect(mailbox.emails.filter((mail) => mail.includes('A test mail'))).toEqual([]);
});

test('--mail-to sends one mail; an address that is none is a usage error', async () => {
  const ran = await doctor(['--mail-to', 'owner@example.com', '--json']);
  expect([ran.code, notOk(ran)]).toEqual([0, []]);
  expect(mailbox.emails.filter((mail) => mail.includes('A test mail'))).toHaveLength(1);
  expect((await doctor(['--mail-to', 'nobody'])).code).toBe(2);
});

test('few open files, in a process of its own: a warning with what to set, and the exit code is 1', async () => {
  const command = 'ulimit -n 1024 && exec "$0" cli/admin.ts doctor';
  const options = {
    cwd: join(folder, 'release'),
    ...surroundings({ NODE_COMPILE_CACHE: environment.NODE_COMPILE_CACHE }),
  };
  const ran = await promisify(execFile)('sh', ['-c', command, process.execPath], options).catch((error) => error);
  expect([ran.code, ran.stderr]).toEqual([1, '']);
  expect(ran.stdout).toContain('warn  open files: A process that is started like this one may open 1024 files');
  expect(ran.stdout).toContain(
    '      → Start the service with at least 4096: LimitNOFILE= of systemd, or ulimit -n.\n',
  );
});

test('several faults: each has its line, none ends the others, no secret is shown, and the exit code is 2', async () => {
  const env = {
    SMTP_URL: 'smtp://me:hidden-word@127.0.0.1:1',
    REDIS_URL: 'redis://:hidden-word@127.0.0.1:1',
    STORAGE_URL: 's3://atelier?endpoint=http://127.0.0.1:1',
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'hidden-word',
    STRIPE_API_URL: 'http://127.0.0.1:1',
    SECRET_KEY: 'zyxwvutsrqponmlkjihgfedcba987654',
  };
  const ran = await doctor(['--json'], env);
  expect(ran.code).toBe(2);
  expect(notOk(ran).map(({ check, status }) => `${status} ${check}`)).toEqual([
    'fail storage',
    'fail storage from pages',
    'fail mail server',
    'fail Redis',
    'fail public address',
    'fail processes',
    'fail files',
    'fail payments',
    'fail prices',
    'fail prices',
    'fail prices',
    'fail payment webhook',
  ]);
  expect(notOk(ran).every(({ action }) => action !== null)).toBe(true);
  expect(ran.out).not.toMatch(/hidden-word| at .*\.ts/);
});

test('a database that does not answer is one line', async () => {
  const ran = await doctor(['--json'], { DATABASE_URL: 'postgres://me:hidden-word@127.0.0.1:1/atelier' });
  expect([ran.code, ran.out.includes('hidden-word')]).toEqual([2, false]);
  expect(notOk(ran)).toEqual([
    {
      check: 'Postgres',
      status: 'fail',
      sentence: 'The check failed: connect ECONNREFUSED 127.0.0.1:1.',
      action: 'Check DATABASE_URL, and that Postgres runs.',
    },
  ]);
});

test('settings that a production start refuses: a line for each, and nothing else is checked', async () => {
  const ran = await doctor(['--json'], { SECRET_KEY: 'short', SMTP_URL: '', SMTP_URI: 'x', PORT: 'x' });
  expect(ran.code).toBe(2);
  expect(linesOf(ran).lines.map(({ check, sentence }) => `${check}: ${sentence.split(' ')[0]}`)).toEqual([
    'configuration: SMTP_URL',
    'configuration: SECRET_KEY',
    'configuration: PORT',
    'configuration: SECRET_KEY',
    'configuration: SMTP_URI',
  ]);
});

test('Postgres that stopped behind a proxy: only Postgres is broken, and the public address names it', async () => {
  const proxy = await openProxy(settings['PUBLIC_URL'] ?? '');
  const env = { PUBLIC_URL: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  emulator.webhookUrl = `${env.PUBLIC_URL}/api/stripe/webhook`;
  try {
    expect(notOk(await doctor(['--json'], env))).toEqual([]);
    await postgres.stop();
    await expect.poll(async () => (await fetch(`${env.PUBLIC_URL}/healthz`)).status).toBe(503);
    const lines = notOk(await doctor(['--json'], env));
    expect(lines.map(({ check, status }) => `${status} ${check}`)).toEqual(['warn public address', 'fail Postgres']);
    expect(lines[0]?.action).toBe('Mend what the line Postgres says, then run doctor again.');
  } finally {
    proxy.close();
    postgres = await startEmbeddedPostgres(join(folder, 'postgres'), () => {});
  }
});

/** As a proxy with a health check: without a ready process it answers itself. */
async function openProxy(url: string): Promise<Server> {
  const server = createServer((request, response) => {
    void pass(url, request.url ?? '').then(
      ({ status, text }) => response.writeHead(status).end(text),
      () => response.destroy(),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function pass(url: string, path: string): Promise<{ status: number; text: string }> {
  if (!(await fetch(`${url}/readyz`)).ok) return { status: 503, text: 'No server is available.' };
  const answer = await fetch(url + path);
  return { status: answer.status, text: await answer.text() };
}
