import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { becomeCopy } from './copy.ts';
import { ensureInstallation } from '../files/installation.ts';
import { createWorld, type World } from '../../test/support/every-endpoint.ts';
import { rowsOfNoRequest } from '../../test/support/rows-of-no-request.ts';

/** The rows of each table that would still open something. */
const ended: Record<string, string> = {
  api_keys: 'revoked_at is null',
  caller_idempotency_keys: 'true',
  checkouts: 'paid_at is null',
  idempotency_keys: 'true',
  invitations: `status = 'pending' or token_digest is not null`,
  mail_tokens: 'true',
  mails: 'true',
  oauth_access_tokens: 'true',
  oauth_clients: 'client_secret is not null',
  oauth_consents: 'true',
  oauth_device_codes: 'true',
  oauth_refresh_tokens: 'true',
  calendars: 'true',
  operator_invitations: 'true',
  review_links: 'revoked_at is null',
  sessions: 'true',
  upload_pages: 'true',
  verifications: 'true',
  webhook_attempts: 'true',
  webhook_deliveries: 'true',
  webhook_endpoints: 'true',
  webhook_secrets: 'true',
  worker_keys: 'revoked_at is null',
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
    Number((await query<{ count: string }>(`select count(*) from ${table} where ${ended[table]}`))[0]?.count);
  for (const [table, statement] of Object.entries(rowsOfNoRequest)) if (table in ended) await query(statement);
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
