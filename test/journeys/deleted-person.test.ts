import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFile } from '../support/files.ts';
import { createStudio, newCustomer, newJob, post, type Studio } from '../support/jobs.ts';
import { goodPassword, signUp } from '../support/people.ts';

/** One word in everything that a person can write. Once they are deleted, nothing holds it. */
const marker = 'zyzzyva';

let studio: Studio;
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

/** Every text and JSON column that Postgres knows of. */
async function columnsWithMarker(): Promise<string[]> {
  const { db } = studio.service.context;
  const { rows: columns } = await sql<{ name: string; column: string }>`
    select format('%I.%I', table_schema, table_name) as name, format('%I', column_name) as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema in ('public', 'auth') and table_type = 'BASE TABLE'
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

async function storedWithMarker(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const holding: string[] = [];
  for (const entry of names.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if (path.includes(marker) || (await readFile(path)).includes(marker)) holding.push(path);
  }
  return holding;
}

test('nothing holds what a deleted person wrote: no column, no stored file, no answer', async () => {
  const { service } = studio;
  const { person, key } = await newCustomer(service, 'studio');
  const as = person.token;
  const email = `${marker}@example.com`;
  const send = (path: string, body: object = {}) => post(service, as, path, body);
  await service.context.db.updateTable('auth.user').set({ email }).where('id', '=', person.userId).execute();
  await send('/api/auth/profile', { name: `Ada ${marker}` });
  await send('/api/auth/account', { name: `Bakery ${marker}` });
  await service.call('POST', '/api/auth/sign-in/email', {
    body: { email, password: goodPassword },
    headers: { 'user-agent': `Firefox ${marker}` },
  });
  await send('/api/v1/api-keys', { name: `key ${marker}` });
  const hook = { url: `https://example.com/${marker}`, description: `hook ${marker}` };
  expect((await send('/api/v1/webhook-endpoints', hook)).status).toBe(201);
  await send('/api/auth/invitations', { email: `guest-${marker}@example.com`, role: 'member' });
  const host = await signUp(service);
  await post(service, host.token, '/api/auth/invitations', { email, role: 'member' });
  const session = await send('/api/v1/intake/sessions', { service_family: 'design' });
  await send(`/api/v1/intake/sessions/${session.body.session?.id}/messages`, { content: `A logo for ${marker}` });
  await newFile(service, as, Buffer.from(`bytes of ${marker}`), {
    file_name: `${marker}.txt`,
    content_type: 'text/plain',
  });
  const draft = { customer_title: `Logo ${marker}`, customer_instructions: `Brand name: ${marker}.` };
  const job = await newJob(service, key, draft);
  await post(service, as, `/api/v1/jobs/${job}/messages`, { body: marker });
  await post(
    service,
    key,
    '/api/v1/jobs',
    { service_family: 'design', service_type: 'logo', ...draft },
    `key-${marker}`,
  );
  expect((await columnsWithMarker()).length).toBeGreaterThan(8);
  const storage = service.context.config.storage;
  const folder = 'folder' in storage ? storage.folder : '';
  expect(await storedWithMarker(folder)).not.toEqual([]);

  const ended = service.context.db.updateTable('entitlements').set({ status: 'canceled' });
  await ended.where('account_id', '=', person.accountId).execute();
  expect((await send('/api/auth/account/close', { password: goodPassword })).status).toBe(200);
  expect((await send('/api/auth/delete', { password: goodPassword })).status).toBe(200);

  expect(await columnsWithMarker()).toEqual([]);
  expect(await storedWithMarker(folder)).toEqual([]);
  const { token: operator } = studio.operator;
  for (const path of ['accounts', 'jobs', 'audit', 'figures']) {
    const answer = await service.call('GET', `/api/operator/v1/${path}`, { as: operator });
    expect(JSON.stringify(answer.body), path).not.toContain(marker);
  }
  for (const path of ['/api/auth/invitations', '/api/auth/members', '/api/v1/events'])
    expect(JSON.stringify((await service.call('GET', path, { as: host.token })).body), path).not.toContain(marker);
});
