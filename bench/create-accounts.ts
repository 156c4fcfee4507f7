import { mintKey } from '../server/keys/key-finder.ts';
import type { Service } from './start-service.ts';

export type Account = { token: string; accountId: string };

/** Accounts with a permanent plan and a key; the table `bench_accounts` numbers them for pgbench. */
export async function createAccounts({ database }: Service, count: number): Promise<Account[]> {
  const keys = Array.from({ length: count }, () => mintKey('atl'));
  await database.query(`
    create table if not exists bench_accounts (
      n integer generated always as identity (minvalue 0 start 0) primary key,
      account_id uuid, user_id uuid, entitlement_id uuid, api_key_id uuid, period_start timestamptz)`);
  const { rows: accounts } = await database.query<{ account_id: string; user_id: string }>(
    `with person as (
       insert into people (id, name, email, email_verified)
       select uuidv7(), 'Bench', uuidv7() || '@bench.localhost', true from unnest($1::text[]) returning id
     ),
     account as (
       insert into accounts (id, name, slug) select id, 'Bench', id from person returning id
     ),
     counters as (insert into account_counters (account_id) select id from account)
     insert into members (account_id, user_id, role) select id, id, 'owner' from account
     returning account_id, user_id`,
    [keys.map(({ prefix }) => prefix)],
  );
  const ids = accounts.map(({ account_id }) => account_id);
  await database.query(
    `with key as (
       insert into api_keys (id, account_id, created_by, name, prefix, secret_sha256, scopes, last_used_at)
       select uuidv7(), k.account_id, k.user_id, 'bench', k.prefix, decode(k.digest, 'hex'), '{api:read,api:write}', now()
       from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as k (account_id, user_id, prefix, digest)
       returning id, account_id, created_by
     ),
     subscription as (
       insert into subscriptions (id, account_id) select 'bench ' || account_id, account_id from key
     ),
     entitlement as (
       insert into entitlements (account_id, id, subscription, code, name, access_kind, status, unit, quota,
         concurrency_limit, event_created_at, event_rank)
       select account_id, uuidv7(), 'bench ' || account_id, 'studio', 'Studio', 'both', 'active', 'job', 100000000,
         100000000, now(), 0 from key
       returning id, account_id
     ),
     period as (
       insert into entitlement_periods (account_id, entitlement_id, period_start, period_end, grant_created_at, grant_rank, anchor)
       select account_id, id, date_trunc('day', now()), now() + interval '30 days', now(), 0, now() from entitlement
       returning entitlement_id, period_start
     )
     insert into bench_accounts (account_id, user_id, entitlement_id, api_key_id, period_start)
     select k.account_id, k.created_by, e.id, k.id, p.period_start
     from key k join entitlement e on e.account_id = k.account_id join period p on p.entitlement_id = e.id
     order by k.account_id`,
    [
      ids,
      accounts.map(({ user_id }) => user_id),
      keys.map(({ prefix }) => prefix),
      keys.map(({ digest }) => digest.toString('hex')),
    ],
  );
  await database.query('analyze');
  return keys.map(({ plaintext }, n) => ({ token: plaintext, accountId: ids[n] ?? '' }));
}
