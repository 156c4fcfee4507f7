import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newFile, openTestStorage, storageKinds, type TestStorage } from '../support/files.ts';
import { createStudio, draft, newCustomer, newJob, type Studio } from '../support/jobs.ts';
import { addMember, closeAccount, goodPassword, signUp, type TestPerson } from '../support/people.ts';
import { sendEvent, subscriptionEvent } from '../support/plans.ts';
import type { Service } from '../support/harness.ts';

/** One word in everything that a person can write. Once they are deleted, nothing holds it. */
const marker = 'zyzzyva';
const email = `${marker}@example.com`;

/** What the service answers again to a repeated Idempotency-Key. */
const storedAnswers = ['public.idempotency_keys.answer', 'public.caller_idempotency_keys.answer'];

/** Every text and JSON column that Postgres knows of. */
async function columnsWithMarker({ context: { db } }: Service): Promise<string[]> {
  const { rows: columns } = await sql<{ name: string; column: string }>`
    select format('%I.%I', table_schema, table_name) as name, format('%I', column_name) as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE'
      and (data_type in ('text', 'json', 'jsonb', 'ARRAY', 'character varying') or udt_name = 'citext')`.execute(db);
  expect(columns.length).toBeGreaterThan(100);
  const holding: string[] = [];
  for (const { name, column } of columns) {
    const { rows } = await sql`
      select from ${sql.raw(name)} t where (t.${sql.raw(column)})::text ilike ${`%${marker}%`} limit 1`.execute(db);
    if (rows.length > 0) holding.push(`${name}.${column}`);
  }
  return holding;
}

async function objectsWithMarker(storage: TestStorage): Promise<string[]> {
  const holding: string[] = [];
  for (const key of await storage.keys())
    if (key.includes(marker) || (await storage.read(key)).includes(marker)) holding.push(key);
  return holding;
}

/** The files of the trial, which keeps mails in a folder. */
async function mailsWithMarker({ context: { config } }: Service): Promise<string[]> {
  const folder = join(config.dataDir, 'mail');
  const holding: string[] = [];
  for (const name of await readdir(folder))
    if ((await readFile(join(folder, name))).includes(marker)) holding.push(name);
  return holding;
}

async function deskAnswersWithMarker({ service, operator }: Studio, job: string): Promise<string[]> {
  const holding: string[] = [];
  for (const path of ['accounts', 'jobs', `jobs/${job}`, 'audit', 'figures', 'provider-events']) {
    const { status, body } = await service.call('GET', `/api/operator/v1/${path}`, { as: operator.token });
    expect([path, status]).toEqual([path, 200]);
    if (JSON.stringify(body).includes(marker)) holding.push(path);
  }
  return holding;
}

/** These take no Idempotency-Key. */
const withoutKey = ['/api/auth/change-email', '/api/auth/request-password-reset'];

/** Sends what has to succeed, with an Idempotency-Key, so that each answer is stored. */
const writer =
  (service: Service, as: string) =>
  async (path: string, body: object, key: string = path, method = 'POST') => {
    const headers: Record<string, string> = withoutKey.includes(path) ? {} : { 'idempotency-key': key };
    const { status, body: answer } = await service.call(method, path, { as, body, headers });
    expect([path, status]).toEqual([path, status < 300 ? status : 200]);
    return answer;
  };

/** Name, address and program; an API key, whose secret it answers; invitations and mails that wait. */
async function writeAboutSelf({ service }: Studio, { token, userId }: TestPerson): Promise<string> {
  const write = writer(service, token);
  await service.context.db.updateTable('people').set({ email }).where('id', '=', userId).execute();
  await write('/api/auth/profile', { name: `Ada ${marker}` }, undefined, 'PATCH');
  const { status } = await service.call('POST', '/api/auth/sign-in/email', {
    body: { email, password: goodPassword },
    headers: { 'user-agent': `Firefox ${marker}` },
  });
  expect(status).toBe(200);
  const { plaintext_key } = await write('/api/v1/api-keys', { name: `key ${marker}` });
  const host = await signUp(service);
  await writer(service, host.token)('/api/auth/invitations', { email, role: 'member' });
  expect(await mailsWithMarker(service)).not.toEqual([]);
  service.context.mail.send = () => Promise.reject(new Error('The mail server is away.'));
  await write('/api/auth/invitations', { email: `guest-${marker}@example.com`, role: 'member' });
  await write('/api/auth/change-email', { email: `other-${marker}@example.com`, password: goodPassword });
  await writer(service, '')('/api/auth/request-password-reset', { email });
  expect(await columnsWithMarker(service)).toContain('public.mails.address');
  return plaintext_key;
}

/** Moves a queued job to the customer's review and claims the next one. Each answer is stored under its key. */
async function deliverWithKeys({ service, operator }: Studio, job: string, client: string): Promise<void> {
  const ask = (path: string, body: object = {}) =>
    writer(service, operator.token)(`/api/operator/v1/jobs/${path}`, body, path);
  await ask(`${job}/accept`);
  await ask('claim');
  await ask(`${job}/hold`);
  await ask(`${job}/notes`, { body: `They are called ${client}.` });
  await ask(`${job}/start`);
  await ask(`${job}/files/presign`, { file_name: `${client}.txt`, content_type: 'text/plain', size_bytes: 5 });
  await ask(`${job}/submit`, { message: `For ${client}.` });
  await ask(`${job}/pass`);
}

/** All that an account holds: its name, endpoints, conversations, files, jobs and what the provider sends about it. */
async function writeInAccount(studio: Studio, { token, accountId }: TestPerson, key: string): Promise<string> {
  const { service } = studio;
  const write = writer(service, token);
  await write('/api/auth/account', { name: `Bakery ${marker}` }, undefined, 'PATCH');
  const hook = { url: `https://example.com/${marker}`, description: `hook ${marker}` };
  await write('/api/v1/webhook-endpoints', hook);
  const { intake_session } = await write('/api/v1/intake/sessions', { service_family: 'design' });
  await write(`/api/v1/intake/sessions/${intake_session.id}/messages`, { content: `A logo for ${marker}` });
  const bytes = Buffer.from(`bytes of ${marker}`);
  await newFile(service, token, bytes, { file_name: `${marker}.txt`, content_type: 'text/plain' });
  const words = { customer_title: `Logo ${marker}`, customer_instructions: `Brand name: ${marker}.` };
  await writer(service, key)('/api/v1/jobs', { ...draft, ...words }, `key-${marker}`);
  const job = await newJob(service, token, words);
  await deliverWithKeys(studio, job, marker);
  await write(`/api/v1/jobs/${job}/revision`, { customer_instructions: `Rounder, ${marker}.` }, 'revision');
  await service.context.db
    .updateTable('entitlements')
    .set({ code: 'agent', access_kind: 'agent' })
    .where('account_id', '=', accountId)
    .execute();
  const { checkout } = await write('/api/checkout/tier', { plan_code: 'solo' });
  const names = { accountId, customer: checkout.customer, subscription: `sub_of_${job}` };
  const event = subscriptionEvent(service, names, 'solo', {
    object: { customer_email: email, customer_name: marker, description: marker },
  });
  expect((await sendEvent(service, { ...event, note: marker })).status).toBe(200);
  return job;
}

const leave = (service: Service, { token }: TestPerson) =>
  service.call('POST', '/api/auth/delete', { as: token, body: { password: goodPassword } });

test.each(storageKinds)(
  'nothing holds what a deleted person wrote: no column, no answer, no object on the storage %s',
  async (kind) => {
    const storage = await openTestStorage(kind);
    const studio = await createStudio(storage.env);
    const { service } = studio;
    const { person, key } = await newCustomer(service, 'studio');
    await writeAboutSelf(studio, person);
    const job = await writeInAccount(studio, person, key);
    const columns = await columnsWithMarker(service);
    expect(columns.length).toBeGreaterThan(12);
    expect(columns).toEqual(expect.arrayContaining(storedAnswers));
    expect(await objectsWithMarker(storage)).not.toEqual([]);
    expect(await deskAnswersWithMarker(studio, job)).not.toEqual([]);

    await closeAccount(service, person);
    expect((await leave(service, person)).status).toBe(200);

    expect(await columnsWithMarker(service)).toEqual([]);
    expect(await objectsWithMarker(storage)).toEqual([]);
    expect(await mailsWithMarker(service)).toEqual([]);
    expect(await deskAnswersWithMarker(studio, job)).toEqual([]);
    await service.close();
    await storage.close();
  },
  60_000,
);

test.each(['admin', 'owner'] as const)(
  'an %s who is deleted leaves neither name nor address in an account that goes on',
  async (role) => {
    const studio = await createStudio();
    const { service, ada } = studio;
    const person = await addMember(service, ada, role);
    const key = await writeAboutSelf(studio, person);
    const job = await newJob(service, person.token);
    const other = await newJob(service, key);
    await deliverWithKeys(studio, job, 'Bob');
    const write = writer(service, ada.token);
    await write(`/api/v1/jobs/${job}/approve`, {}, 'approve');
    await write(`/api/v1/jobs/${other}/cancel`, {}, 'cancel');
    expect(await columnsWithMarker(service)).toEqual(expect.arrayContaining(storedAnswers));
    expect(await deskAnswersWithMarker(studio, job)).not.toEqual([]);

    expect((await leave(service, person)).status).toBe(200);

    expect(await columnsWithMarker(service)).toEqual([]);
    expect(await mailsWithMarker(service)).toEqual([]);
    expect(await deskAnswersWithMarker(studio, job)).toEqual([]);
    for (const path of ['/api/auth/members', '/api/auth/invitations', '/api/v1/api-keys', `/api/v1/jobs/${job}`]) {
      const { status, body } = await service.call('GET', path, { as: ada.token });
      expect([path, status, JSON.stringify(body).includes(marker)]).toEqual([path, 200, false]);
    }
    await service.close();
  },
  60_000,
);
