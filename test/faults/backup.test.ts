import { generateIdentity, identityToRecipient } from 'age-encryption';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { showId } from '../../server/lib/id.ts';
import { startDebianPostgres } from '../support/debian-postgres.ts';
import { newFile, openTestStorage, someBytes } from '../support/files.ts';
import { createService } from '../support/harness.ts';
import { createStudio, newJob } from '../support/jobs.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { migrate } from '../../server/db/migrate.ts';
import { createUntilStopped } from './creates.ts';
import { queryAt } from './postgres.ts';
import { openFolder, removeFolder, run } from './process.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

let folder: string;
beforeEach(async () => void (folder = await openFolder()));
afterEach(() => removeFolder(folder));

type Env = Record<string, string | undefined>;
const start = (words: string[], env: Env) => run(env, { program: ['cli/admin.ts', ...words] });

async function admin(words: string[], env: Env): Promise<{ code: unknown; said: string }> {
  const { ended, said } = start(words, env);
  return { code: await ended, said: said() };
}

async function succeed(words: string[], env: Env): Promise<string> {
  const { code, said } = await admin(words, env);
  expect(code, said).toBe(0);
  return said;
}

async function refusalOf(words: string[], env: Env): Promise<string> {
  const { code, said } = await admin(words, env);
  expect(code, said).toBe(1);
  return said;
}

const embeddedUrl = (dataDir: string) =>
  `postgres://atelier@localhost:5432/atelier?host=${encodeURIComponent(join(dataDir, 'postgres/socket'))}&sslmode=disable`;

/** The recorded backups of a database. */
const recordsAt = (url: string) =>
  queryAt<{ subject: string; details: object }>(
    url,
    `select subject, details from audit_log where action = 'backup.recorded' order by id`,
  );

const jobsAt = async (url: string) =>
  new Set((await queryAt<{ id: string }>(url, 'select id from jobs')).map(({ id }) => showId('job', id)));

test('embedded, under creates: a killed backup leaves none, a whole one has every job acknowledged before it', async () => {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  const service = await startServiceProcess({ DATA_DIR: from }, embeddedUrl(from));
  const creates = createUntilStopped(service.asks, service.key, 4);
  const env = { DATA_DIR: from };
  const backup = join(folder, 'backup');

  await vi.waitFor(() => expect(creates.made.size).toBeGreaterThan(20), 60_000);
  const killed = start(['backup', backup], env);
  await vi.waitFor(async () => expect((await readdir(folder)).join()).toContain('.unfinished-'), 60_000);
  await wait(100);
  killed.child.kill('SIGKILL');
  expect(await killed.ended, killed.said()).toBe('SIGKILL');
  expect(existsSync(backup)).toBe(false);
  expect(await recordsAt(embeddedUrl(from))).toEqual([]);

  const acknowledged = new Set(creates.made.values());
  const said = await succeed(['backup', backup, '--verify'], env);
  expect(said).toMatch(/SECRET_KEY \w{8} is not in it[^]*no contradiction/);
  await creates.stop();
  expect(await recordsAt(embeddedUrl(from))).toEqual([{ subject: 'backup', details: { restored: true } }]);
  await service.stop();
  expect((await readdir(backup, { recursive: true })).join()).not.toContain('secret-key');

  expect(await succeed(['restore', backup], { DATA_DIR: to })).toContain('no contradiction');
  const restored = await startServiceProcess({ DATA_DIR: to }, embeddedUrl(to));
  const jobs = await jobsAt(embeddedUrl(to));
  expect([...acknowledged].filter((id) => !jobs.has(id))).toEqual([]);
  expect(await refusalOf(['restore', backup], { DATA_DIR: to })).toContain('has a database already');
  expect(await recordsAt(embeddedUrl(to)), 'a restored copy has no backup of its own').toEqual([]);
  await succeed(['record-backup'], { DATA_DIR: to });
  expect(await recordsAt(embeddedUrl(to))).toEqual([{ subject: 'other tools', details: { restored: false } }]);
  await restored.stop();
});

test.each([
  ['file', {}],
  ['s3', { DATABASE_SCHEMA: 'studio_a' }],
] as const)(
  'own Postgres, storage %s: restored with rights and bytes; a wrong or damaged one changes nothing',
  async (kind, schema) => {
    const [postgres, storage, target] = [
      await startDebianPostgres(15),
      await openTestStorage(kind),
      await openTestStorage(kind),
    ];
    const aws = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
    const other = postgres.url.replace('/atelier?', '/other?');
    await queryAt(postgres.url, 'create database other');
    if (!('DATABASE_SCHEMA' in schema)) await migrate(postgres.url);
    const studio = await createStudio({ ...storage.env, ...schema }, { databaseUrl: postgres.url });
    const { id } = await newFile(studio.service, studio.key, someBytes());
    await newJob(studio.service, studio.key);
    await studio.service.close();

    const identity = await generateIdentity();
    const [key, wrong, backup] = ['key', 'wrong', 'backup'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(key, `# made by a test\n${identity}\n`);
    await writeFile(wrong, `${await generateIdentity()}\n`);
    const from = { DATABASE_URL: postgres.url, DATA_DIR: folder, ...aws, ...schema, ...storage.env };
    const to = { ...from, DATABASE_URL: other, ...target.env };
    const recipient = await identityToRecipient(identity);
    const verified = await succeed(['backup', backup, '--encrypt-to', recipient, '--verify', '--identity', key], from);
    expect(verified).toContain('1 stored files: no contradiction');
    expect(await refusalOf(['backup', backup], from)).toContain('exists already');
    const setReadOnly = (value: string) =>
      queryAt(
        postgres.url,
        `set transaction_read_only = off; alter database atelier set default_transaction_read_only = ${value}`,
      );
    await setReadOnly('on');
    const unrecorded = await succeed(['backup', join(folder, 'unrecorded')], from);
    expect(unrecorded).toMatch(/has the database and 1 files[^]*complete, but could not be recorded: .*record-backup/);
    await setReadOnly('off');

    const restore = ['restore', backup, '--moved', '--identity'];
    expect(await refusalOf([...restore, wrong], to)).toContain('does not decrypt this backup');
    expect(await refusalOf(['restore', backup], to)).toContain('The backup is encrypted.');
    const SECRET_KEY = 'vutsrqponmlkjihgfedcba9876543210';
    expect(await refusalOf([...restore, key], { ...to, SECRET_KEY })).toContain(
      'SECRET_KEY is not the key of the backup',
    );
    const [object] = await readdir(join(backup, 'objects/files'));
    const part = join(backup, 'objects/files', object!);
    const bytes = await readFile(part);
    await writeFile(part, Buffer.concat([bytes.subarray(0, -1), Buffer.from([bytes.at(-1)! ^ 1])]));
    expect(await refusalOf([...restore, key], to)).toContain(`objects/files/${object} is missing or changed`);
    await writeFile(part, bytes);
    expect(await refusalOf([...restore, key], { ...to, ...storage.env })).toContain('storage is not empty');
    expect(await target.keys()).toEqual([]);

    // With rights: the check would name tables whose rows may be changed.
    expect(await succeed([...restore, key], to)).toContain('1 stored files: no contradiction');
    expect(await succeed(['check', '--files'], to)).toContain('no contradiction');
    expect(await refusalOf([...restore, key], to)).toContain('is not empty');
    const again = await createService({ ...target.env, ...schema }, { databaseUrl: other });
    expect((await again.call('GET', `/api/v1/files/${id}`, { as: studio.key })).status).toBe(200);
    await again.close();
    for (const opened of [storage, target]) await opened.close();
    await postgres.stop();
  },
);
