import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ownerKey } from '../../server/files/storage.ts';
import { openFolder, removeFolder, run } from './process.ts';

/** What the service cannot start with it names, all at once, before it listens; and it shows no secret. */

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

let folder: string;
beforeAll(async () => void (folder = await openFolder()));
afterAll(() => removeFolder(folder));

/** Without the variables that tests set, unless given here. */
const bare = { SECRET_KEY: undefined, STRIPE_WEBHOOK_SECRET: undefined, RATE_CREATE_JOB: undefined, PORT: '0' };

async function refusal(env: Record<string, string | undefined>, program = ['server/main.ts']): Promise<string> {
  const { ended, said } = run({ ...bare, DATA_DIR: folder, ...env }, { program });
  expect(await ended, said()).toBe(1);
  expect(said()).toMatch(/^Atelier did not start\. /m);
  expect(said()).not.toMatch(/listening|\n {4}at /);
  return said();
}

const named = (words: string) => [...words.matchAll(/^- ([A-Z_]+) /gm)].map(([, name]) => name).toSorted();

test('every wrong value is named at the same time, and no secret is shown', async () => {
  const wrong: Record<string, string> = {
    PORT: '99999',
    LOG_LEVEL: 'loud',
    PUBLIC_URL: 'nonsense-secret-0',
    DATABASE_URL: 'mysql://u:secret-1@h/d',
    DATABASE_POOL: '0',
    SECRET_KEY: 'secret-2-too-short',
    STRIPE_WEBHOOK_SECRET: 'whsec_secret-3a,whsec_secret-3b,whsec_secret-3c',
    STRIPE_SECRET_KEY: 'secret-4a',
    STRIPE_API_URL: 'secret-4',
    SMTP_URL: 'ftp://u:secret-5@h',
    OPERATOR_PASSWORD: 'secret-6',
    REDIS_URL: 'http://:secret-7@h',
    STORAGE_URL: 'ftp://u:secret-8@h',
    API_KEY_LEAD: 'ATW',
    RATE_CREATE_JOB: 'many',
    RATE_SIGN_IN: 'account=1/1',
    RATE_FOO: '1/2',
    PERIOD_GRACE_HOURS: '-1',
    MAX_STORED_BYTES: '1e3',
    TRUST_PROXY: '10.0.0.1,10.0.0.0/33',
  };
  const words = await refusal(wrong);
  expect(new Set(named(words))).toEqual(new Set([...Object.keys(wrong), 'OPERATOR_EMAIL']));
  expect(words).toMatch(/RATE_FOO is not a rate; the rates are RATE_REQUEST, RATE_CREATE_JOB, .*RATE_BAD_CREDENTIAL\./);
  expect(words).not.toMatch(/secret-\d/);
});

test('production refuses an operator’s password that is easy to guess', async () => {
  const operator = { OPERATOR_EMAIL: 'boss@example.com', OPERATOR_PASSWORD: 'boss123456' };
  const words = await refusal({ NODE_ENV: 'production', ...operator });
  expect(named(words)).toContain('OPERATOR_PASSWORD');
  expect(words).not.toContain('boss123456');
});

test('production names each variable that it needs', async () => {
  const needed = ['DATABASE_URL', 'PUBLIC_URL', 'SECRET_KEY', 'SMTP_URL', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'];
  expect(named(await refusal({ NODE_ENV: 'production' }))).toEqual(needed);
});

test.each([
  ['nobody listens', 'postgres://u:secret-1@localhost:1/x', /ECONNREFUSED \S+:1/],
  ['no such host', 'postgres://u:secret-1@nowhere.invalid/x', /nowhere\.invalid/],
])('a database that cannot be reached: %s', async (_what, DATABASE_URL, reason) => {
  const words = await refusal({ DATABASE_URL });
  expect(words).toMatch(/The database cannot be used: .+ Check DATABASE_URL/);
  expect(words).toMatch(reason);
  expect(words).not.toContain('secret-1');
});

test('a catalog with a mistake stops the start with file and line; a port that is taken with its address and variable', async () => {
  const catalog = join(folder, 'catalog');
  await cp(resolve(import.meta.dirname, '..', '..', 'catalog'), catalog, { recursive: true });
  const plans = await readFile(join(catalog, 'plans.yaml'), 'utf8');
  const at = plans.split('\n').findIndex((line) => /^\s+quota:/.test(line));
  await writeFile(join(catalog, 'plans.yaml'), plans.replace(/quota: .*/, 'quota: plenty'));
  const words = await refusal({ CATALOG_DIR: catalog });
  expect(words).toMatch(/The catalog cannot be used/);
  expect(words).toContain(`plans.yaml:${at + 1}`);

  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  expect(await refusal({ PORT: String(port) })).toContain(
    `Port ${port} of 127.0.0.1 is taken. Choose another one, such as: PORT=${port + 1} npm start`,
  );
  taken.close();
});

test('a folder that cannot be made is refused at once: of the storage, and of DATA_DIR', async () => {
  const words = await refusal({ STORAGE_URL: 'file:/proc/files' });
  expect(words).toMatch(/The folder of the storage cannot be made: ENOENT.*'\/proc\/files'\. Check STORAGE_URL\./);
  expect(await refusal({ DATA_DIR: '/proc/atelier' })).toContain("mkdir '/proc/atelier'");
});

test('a start that makes no progress says what it waits for, and ends although a thread waits on', async () => {
  const files = join(folder, 'hanging');
  await mkdir(files);
  execFileSync('mkfifo', [join(files, ownerKey)]); // reading it waits for a writer, as on a disk that is gone
  const deadlines = new URL('../../server/lib/deadlines.ts', import.meta.url);
  const soon = `import { deadlines } from '${deadlines.href}'; Object.assign(deadlines.start, { say: 500, end: 3_000 });`;
  const program = ['--import', `data:text/javascript,${encodeURIComponent(soon)}`, 'server/main.ts'];
  const words = await refusal({ STORAGE_URL: `file:${files}` }, program);
  expect(words).toMatch(/^Atelier waits for the storage\.$/m);
  expect(words).toMatch(/^Atelier did not start\. It waited 3 s for the storage\.$/m);
});
