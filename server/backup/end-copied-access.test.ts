import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { becomeCopy } from './copy.ts';
import { ensureInstallation } from '../files/installation.ts';
import { createWorld, type World } from '../../test/support/every-endpoint.ts';

/** Rows that would still open something, and what makes one where the world of the sweeps has none. */
const ended: Record<string, { left: string; example?: string }> = {
  api_keys: { left: 'revoked_at is null' },
  caller_idempotency_keys: {
    left: 'true',
    example: `insert into caller_idempotency_keys (caller_id, account_id, key, route, fingerprint, status, answer)
      select m.user_id, m.account_id, 'k', 'r', 'f', 200, '{}' from members m limit 1`,
  },
  checkouts: {
    left: 'paid_at is null',
    example: `insert into checkouts (account_id, code, id, price, customer, url, expires_at)
      select account_id, 'other', 'cs_1', 'price_1', customer, 'https://pay.example', now() + interval '1 day'
      from provider_customers limit 1`,
  },
  idempotency_keys: {
    left: 'true',
    example: `insert into idempotency_keys (account_id, key, route, fingerprint, status, answer)
      select id, 'k', 'r', 'f', 201, '{}' from accounts limit 1`,
  },
  invitations: { left: `status = 'pending' or token_digest is not null` },
  mail_tokens: {
    left: 'true',
    example: `insert into mail_tokens (digest, purpose, user_id, email, expires_at)
      select sha256('1'), 'verify_email', id, email, now() + interval '1 day' from people limit 1`,
  },
  mails: {
    left: 'true',
    example: `insert into mails (kind, user_id, expires_at) select 'verify_email', id, now() + interval '1 day' from people limit 1`,
  },
  oauth_access_tokens: {
    left: 'true',
    example: `insert into oauth_access_tokens (token, client_id, expires_at, created_at, scopes)
      values ('t', 'app', now(), now(), '[]')`,
  },
  oauth_clients: {
    left: 'client_secret is not null',
    example: `insert into oauth_clients (client_id, client_secret, redirect_uris) values ('app', 'secret', '[]')`,
  },
  oauth_consents: {
    left: 'true',
    example: `insert into oauth_consents (client_id, scopes, created_at, updated_at) values ('app', '[]', now(), now())`,
  },
  oauth_device_codes: {
    left: 'true',
    example: `insert into oauth_device_codes (device_code, user_code, expires_at, status)
      values ('d', 'u', now(), 'pending')`,
  },
  oauth_refresh_tokens: {
    left: 'true',
    example: `insert into oauth_refresh_tokens (token, client_id, user_id, expires_at, created_at, scopes)
      select 't', 'app', id, now(), now(), '[]' from people limit 1`,
  },
  calendars: {
    left: 'true',
    example: `insert into calendars (account_id, user_id, token_sha256, with_titles)
      select account_id, user_id, sha256('token'), true from members limit 1`,
  },
  operator_invitations: { left: 'true' },
  review_links: { left: 'revoked_at is null' },
  sessions: { left: 'true' },
  upload_pages: { left: 'true' },
  verifications: {
    left: 'true',
    example: `insert into verifications (identifier, value, expires_at) values ('i', 'v', now() + interval '1 day')`,
  },
  webhook_attempts: {
    left: 'true',
    example: `insert into webhook_attempts (account_id, endpoint_id, delivery_id, attempt, at, error, ms)
      select account_id, endpoint_id, id, 1, now(), 'e', 1 from webhook_deliveries limit 1`,
  },
  webhook_deliveries: { left: 'true' },
  webhook_endpoints: { left: 'true' },
  webhook_secrets: { left: 'true' },
  worker_keys: { left: 'revoked_at is null' },
};

/** Columns with such a name that open nothing, or that a copy needs. */
const harmless: Record<string, string> = {
  'audit_log.address_hash': 'says which entries have one address',
  'catalog_files.sha256': 'of pictures that everybody may see',
  'credentials.access_token': 'never written: people sign in with passwords',
  'credentials.id_token': 'never written',
  'credentials.password': 'people sign in to the copy',
  'credentials.refresh_token': 'never written',
  'entitlements.code': 'a plan',
  'events.address_hash': 'says which events have one address',
  'imported_rows.digest': 'of the id that another system gave a row',
  'job_outcomes.reason_code': 'a reason',
  'jobs.plan_code': 'a plan',
  'jobs.reason_code': 'a reason',
  'provider_events.plan_code': 'a plan',
  'provider_payments.plan_code': 'a plan',
  'migration_checksums.sha256': 'of migrations',
  'plan_prices.code': 'a plan',
  'quota_adjustments.plan_code': 'a plan',
  'two_factors.backup_codes': 'people sign in to the copy',
  'two_factors.secret': 'people sign in to the copy',
  'two_factors.used_codes': 'people sign in to the copy',
  'usage_ledger.plan_code': 'a plan',
};

/** What a column with a secret, or with an address that is one, could be called. */
const suspicious = /secret|token|digest|sha256|hash|password|cipher|code|url|uri|value|answer$/;

let world: World;
beforeAll(async () => void (world = await createWorld()));
afterAll(() => world.service.close());

const query = async <Row>(statement: string) => (await sql.raw<Row>(statement).execute(world.service.context.db)).rows;

test('every column that could have a secret ends with the copy, or is known to open nothing', async () => {
  const columns = await query<{ table: string; column: string }>(`
    select c.table_name as table, c.column_name as column from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
      and c.data_type in ('text', 'bytea', 'json', 'jsonb', 'ARRAY', 'character varying') order by 1, 2`);
  const unknown = columns
    .filter(({ table, column }) => suspicious.test(column) && !(table in ended))
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => !(name in harmless));
  expect(unknown).toEqual([]);
  const names = columns.map(({ table, column }) => `${table}.${column}`);
  expect(Object.keys(harmless).filter((name) => !names.includes(name))).toEqual([]);
});

test('a copy has no session, key, grant, link or secret of the original left', async () => {
  const rowsLeft = async (table: string) =>
    Number((await query<{ count: string }>(`select count(*) from ${table} where ${ended[table]!.left}`))[0]?.count);
  for (const { example } of Object.values(ended)) if (example) await query(example);
  const tablesLeft = async () => {
    const names: string[] = [];
    for (const table of Object.keys(ended)) if ((await rowsLeft(table)) > 0) names.push(table);
    return names;
  };
  expect(await tablesLeft(), 'before').toEqual(Object.keys(ended));
  const { db, signatures } = world.service.context;
  await ensureInstallation(db);
  await signatures.writeNow();
  expect(await query('select from webhook_signatures'), 'before').toHaveLength(1);
  const [original] = await query<{ id: string }>('select id from installation');
  await becomeCopy(db);
  expect(await tablesLeft()).toEqual([]);
  expect(await query(`select from installation where id = '${original!.id}' or previous_nonce is not null`)).toEqual(
    [],
  );
  expect(await query('select from webhook_signatures'), 'the provider posts to the original').toEqual([]);
  expect(await query(`select from credentials where password is not null`)).not.toEqual([]);
});
