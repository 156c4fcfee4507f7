import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../cli/run.ts';
import { runToEnd } from '../../test/support/command-line.ts';
import { createService, environment, type Service } from '../../test/support/harness.ts';
import { newCustomer, newJob, post } from '../../test/support/jobs.ts';
import { makeKey, makeOperator, type TestPerson } from '../../test/support/people.ts';

/** What nobody else may read. */
const planted = {
  SECRET_KEY: 'secretkeysecretkey0123456789abcdefgh',
  STRIPE_WEBHOOK_SECRET: 'whsec_plantedsecret0123456789abc',
  OPERATOR_EMAIL: 'boss@planted.example',
  OPERATOR_PASSWORD: 'planted horse battery 9',
  SMTP_URL: 'smtp://mailer:plantedmailpw@mail.planted.example:2525',
  MAIL_FROM: 'Planted Studio <from@planted.example>',
  REDIS_URL: '',
  AWS_SECRET_ACCESS_KEY: 'plantedawssecretkey',
  PRIVATE_NOTE_OF_NEIGHBOUR: 'planted-elsewhere',
};
const text = 'Plantedword for the harbour';

let folder: string;
let service: Service;
let owner: TestPerson;
let secrets: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atelier-bundle-'));
  service = await createService({ ...planted, PUBLIC_URL: 'http://atelier.planted.example' });
  const { person, key } = await newCustomer(service, 'studio');
  owner = await makeOperator(service, 'owner');
  const id = await newJob(service, key, { customer_title: text, customer_instructions: text, reference: 'Plantedref' });
  await post(service, key, `/api/v1/jobs/${id}/messages`, { text: `${text} 192.0.2.77` });
  await post(service, owner.token, `/api/operator/v1/jobs/${id}/notes`, { body: text });
  await post(service, person.token, '/api/v1/webhook-endpoints', { url: 'https://hooks.planted.example/plantedpath' });
  const apiKey = await makeKey(service, person);
  // Findings of every kind of secret, as a check that failed might have them.
  const sentence = `The check failed: ${planted.SECRET_KEY} boss@planted.example smtp://a:plantedmailpw@mail.planted.example 192.0.2.77 2001:db8::77.`;
  const findings = JSON.stringify([{ check: 'mail server', status: 'fail', sentence, action: `Ask ${person.email}` }]);
  await sql`
    insert into examinations (id, started_at, ended_at, version, findings)
    values (uuidv7(), now(), now(), 'x', ${findings}::jsonb)`.execute(service.context.db);
  secrets = [
    ...Object.values(planted).filter(Boolean),
    'plantedmailpw',
    'planted.example',
    'Plantedword',
    'Plantedref',
    'plantedpath',
    '192.0.2.77',
    '2001:db8::77',
    person.email,
    owner.email,
    owner.token,
    apiKey,
    service.context.config.secretKeys[0] ?? '',
    new URL(service.databaseUrl).password,
  ].filter(Boolean);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

const foundIn = (bundle: string) => secrets.filter((secret) => bundle.includes(secret));
const saved = async () => {
  const { rows } = await sql<{ actor: string }>`
    select actor from audit_log where action = 'support_bundle.saved'`.execute(service.context.db);
  return rows;
};

test('200: what helps to find a fault, as an attachment, without secrets, addresses and texts, and the audit says who', async () => {
  const { status, headers, body } = await service.call('GET', '/api/operator/v1/support-bundle', { as: owner.token });
  expect([status, headers.get('content-disposition')]).toEqual([200, 'attachment; filename="atelier-support.json"']);
  expect(foundIn(JSON.stringify(body))).toEqual([]);
  expect(await saved()).toEqual([{ actor: 'operator' }]);
  expect(body.settings).toMatchObject({
    SECRET_KEY: 'set',
    SMTP_URL: 'set',
    LOG_LEVEL: 'error',
    AWS_SECRET_ACCESS_KEY: 'set',
  });
  expect(body.settings).not.toHaveProperty('PRIVATE_NOTE_OF_NEIGHBOUR');
  expect(body.settings).not.toHaveProperty('REDIS_URL');
  expect(body.findings[0].sentence).toMatch(/^The check failed: …/);
  expect(body.postgres[0]).toMatchObject({ standby: false, settings: { fsync: expect.any(String) } });
  expect(body.estimated_rows.map(({ table }: { table: string }) => table)).toContain('jobs');
  expect(body.migrations.at(-1).name).toMatch(/^\d{4}_/);
  expect(body.metrics).toContain('atelier_build_info');
  expect(body.loops).toBeTypeOf('object');
});

const surroundings = () => ({
  env: { ...environment, ...planted, DATABASE_URL: service.databaseUrl, DATA_DIR: folder },
});

test('the command writes the same for nobody else to read, also if the service does not run', async () => {
  const file = join(folder, 'support.json');
  const ran = await runToEnd(run, ['support-bundle', file], surroundings());
  expect([ran.code, ran.err]).toEqual([0, '']);
  const bundle = await readFile(file, 'utf8');
  expect(foundIn(bundle)).toEqual([]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(bundle).findings.length).toBeGreaterThan(20);
  expect(JSON.parse(bundle).tasks).toEqual(expect.any(Array));
  const again = await runToEnd(run, ['support-bundle', file], surroundings());
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('exists already')]);
});

test('the command also writes if Postgres does not answer, and says why parts are missing', async () => {
  const file = join(folder, 'alone.json');
  const hosts = 'one.planted.example:1,two.planted.example:1';
  const env = { ...surroundings().env, DATABASE_URL: `postgres://atelier:plantedmailpw@${hosts}/atelier` };
  const ran = await runToEnd(run, ['support-bundle', file], { env });
  expect(ran.code).toBe(0);
  const bundle = JSON.parse(await readFile(file, 'utf8'));
  expect(bundle.migrations).toMatch(/ENOTFOUND|EAI_AGAIN|does not answer|no server/i);
  expect(bundle.findings.some(({ status }: { status: string }) => status === 'fail')).toBe(true);
  expect(foundIn(JSON.stringify(bundle))).toEqual([]);
});
