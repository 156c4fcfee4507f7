import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createService, type Service } from '../support/harness.ts';

/**
 * Tables that are looked up without an account. All others hold data of accounts: their keys begin with the account, so
 * that a store that shards by key can keep an account in one place.
 */
const directory = [
  'public.accounts',
  'public.api_keys',
  'public.audit_log', // what the studio does belongs to no account
  'public.caller_idempotency_keys',
  'public.catalog_files',
  'public.catalog_versions',
  'public.credentials',
  'public.day_figures', // figures of the studio
  'public.installation',
  'public.invitations',
  'public.kysely_migration',
  'public.kysely_migration_lock',
  'public.macros',
  'public.mail_tokens',
  'public.mails', // one queue; some mails belong to a person or an address and to no account
  'public.members',
  'public.migration_checksums',
  'public.notification_choices',
  'public.notifications', // of a person; some are about no account
  'public.oauth_access_tokens', // a token names no account
  'public.oauth_clients',
  'public.oauth_consents',
  'public.oauth_device_codes',
  'public.oauth_refresh_tokens',
  'public.oauth_resources',
  'public.operator_invitations',
  'public.operator_settings',
  'public.people',
  'public.plan_prices',
  'public.provider_customers',
  'public.provider_event_reviews',
  'public.provider_events',
  'public.provider_payments', // a dispute of an unknown customer is of no account
  'public.review_links', // the token of a guest names no account
  'public.sessions',
  'public.state_figures',
  'public.stored_days',
  'public.subscriptions',
  'public.task_runs',
  'public.two_factors',
  'public.upload_pages', // the token of a page names no account
  'public.verifications',
  'public.webhook_signatures',
  'public.worker_keys',
];

let service: Service;
beforeAll(async () => {
  service = await createService();
});
afterAll(() => service.close());

const relation = (oid: string) =>
  sql.raw<string>(`(select n.nspname || '.' || t.relname from pg_class t join pg_namespace n on n.oid = t.relnamespace
    where t.oid = ${oid})`);
const columns = (table: string, numbers: string) =>
  sql.raw<
    string[]
  >(`(select array_agg(a.attname::text order by k.at) from unnest(${numbers}) with ordinality k (number, at)
    join pg_attribute a on a.attrelid = ${table} and a.attnum = k.number)`);

async function tables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select ${relation('c.oid')} as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace
    order by 1`.execute(service.context.db);
  return rows.map(({ name }) => name);
}

/** Primary keys and unique indexes. */
async function uniqueKeys() {
  const { rows } = await sql<{ table: string; primary: boolean; columns: string[] }>`
    select ${relation('i.indrelid')} as table, i.indisprimary as primary, ${columns('i.indrelid', 'i.indkey')} as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisunique and c.relnamespace = 'public'::regnamespace`.execute(service.context.db);
  return rows;
}

async function foreignKeys() {
  const { rows } = await sql<{ table: string; target: string; columns: string[]; referenced: string[] }>`
    select ${relation('f.conrelid')} as table, ${relation('f.confrelid')} as target,
      ${columns('f.conrelid', 'f.conkey')} as columns, ${columns('f.confrelid', 'f.confkey')} as referenced
    from pg_constraint f
    where f.contype = 'f' and f.connamespace = 'public'::regnamespace`.execute(service.context.db);
  return rows;
}

const isDirectory = (table: string) => directory.includes(table);

describe('tables of account data', () => {
  test('the directory names tables that exist', async () => {
    expect(await tables()).toEqual(expect.arrayContaining(directory));
  });

  test('each has a primary key that begins with the account, and the account in every unique key', async () => {
    const keyed = (await tables()).filter((table) => !isDirectory(table));
    expect(keyed).toEqual(expect.arrayContaining(['public.jobs', 'public.files', 'public.usage_ledger']));
    const keys = await uniqueKeys();
    const primary = new Map(keys.filter((key) => key.primary).map((key) => [key.table, key.columns[0]]));
    expect(keyed.filter((table) => primary.get(table) !== 'account_id')).toEqual([]);
    expect(keys.filter((key) => !isDirectory(key.table) && !key.columns.includes('account_id'))).toEqual([]);
  });

  test('refer to each other by account, and nothing of the directory refers to them', async () => {
    const keys = (await foreignKeys()).filter(({ target }) => !isDirectory(target));
    expect(keys).toContainEqual(
      expect.objectContaining({ table: 'public.files', target: 'public.jobs', columns: ['account_id', 'job_id'] }),
    );
    const wrong = keys.filter(
      ({ table, columns, referenced }) =>
        isDirectory(table) || columns[0] !== 'account_id' || referenced[0] !== 'account_id',
    );
    expect(wrong).toEqual([]);
  });
});
