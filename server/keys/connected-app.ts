import { type RawBuilder, sql } from 'kysely';
import type { Static } from 'typebox';
import type { ConnectedApp } from '../../contract/developer/connected-apps.ts';
import { cliClientId } from '../../contract/developer/oauth.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { Db, Trx } from '../db/pool.ts';
import { appendEvents, appendToAccounts } from '../events/append-events.ts';
import type { Cause } from '../http/request.ts';
import { readId, showId } from '../lib/id.ts';
import type { Signer } from '../lib/signer.ts';
import { endLinksOfKeys, endLinksOfRevokedKeys } from './review-link.ts';

/** The client id of an app that the studio registered is an id. No other client id has this form. */
export const isStudioApp = (clientId: string): boolean => readId('app', clientId) !== null;

/** The address of an app is its client id, unless it has none. */
export const hostOf = (clientId: string): string | null =>
  /^https?:\/\//.test(clientId) && URL.canParse(clientId) ? new URL(clientId).host : null;

export const showApp = (clientId: string, name: string): Static<typeof ConnectedApp>['app'] => {
  const host = hostOf(clientId);
  const set_up_by_studio = isStudioApp(clientId);
  return { name, host, checked: host !== null || clientId === cliClientId || set_up_by_studio, set_up_by_studio };
};

type AppRow = {
  id: string;
  account_id: string;
  account_name: string;
  app_client_id: string;
  name: string;
  scopes: Static<typeof ConnectedApp>['scopes'];
  status: Static<typeof ConnectedApp>['status'];
  created_by: string | null;
  creator_name: string | null;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
  revoked_at: Date | null;
  jobs: number;
};

const isListed = sql`coalesce(key.revoked_at, key.expires_at) > now() - interval '30 days'`;

/** Grants for which `which` holds of the row `key`, newest first. */
async function appsWhere(db: Db | Trx, which: RawBuilder<unknown>, limit = 1): Promise<AppRow[]> {
  const { rows } = await sql<AppRow>`
    select key.id, key.account_id, a.name as account_name, key.app_client_id, key.name, key.scopes, key.created_by,
      u.name as creator_name, key.created_at, key.expires_at, key.last_used_at, key.revoked_at,
      case when key.revoked_at is not null then 'revoked' when key.expires_at <= now() then 'expired'
        else 'active' end as status,
      0 as jobs
    from api_keys key
    join accounts a on a.id = key.account_id
    left join people u on u.id = key.created_by
    where key.app_client_id is not null and ${which}
    order by key.created_at desc, key.id desc limit ${limit}`.execute(db);
  return rows;
}

/** One statement for each account, because its jobs may be on another server. */
async function showApps(db: Db | Trx, rows: AppRow[]): Promise<Static<typeof ConnectedApp>[]> {
  const jobs = new Map<string, number>();
  for (const accountId of new Set(rows.map(({ account_id }) => account_id))) {
    const ids = rows.filter(({ account_id }) => account_id === accountId).map(({ id }) => id);
    const { rows: counts } = await sql<{ id: string; jobs: number }>`
      select created_by_key as id, count(*)::int as jobs from jobs
      where account_id = ${accountId} and created_by_key = any(${ids}::uuid[]) group by 1`.execute(db);
    for (const count of counts) jobs.set(count.id, count.jobs);
  }
  return rows.map((row) => ({
    id: showId('key', row.id),
    app: showApp(row.app_client_id, row.name),
    account: { id: showId('acct', row.account_id), name: row.account_name },
    scopes: row.scopes,
    status: row.status,
    created_by:
      row.created_by === null
        ? null
        : { kind: 'user' as const, id: showId('user', row.created_by), name: row.creator_name ?? '' },
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    jobs: jobs.get(row.id) ?? 0,
  }));
}

/** Whose grants: those of an account, or those that a person made, or both. */
export type AppsOf = { accountId?: string; madeBy?: string };

const owned = ({ accountId, madeBy }: AppsOf) => sql`
  ${accountId === undefined ? sql`true` : sql`key.account_id = ${accountId}`}
  and ${madeBy === undefined ? sql`true` : sql`key.created_by = ${madeBy}`}`;

type Page = { scope: unknown[]; cursor: string | undefined; limit: number | undefined };

/** One page of them, with what ended in the last 30 days. */
export async function listApps(db: Db, signer: Signer, whose: AppsOf, { scope, cursor, limit = 25 }: Page) {
  const from = readCursor(signer, scope, cursor);
  const later = from === null ? sql`true` : sql`(key.created_at, key.id) < (${from.at}, ${from.id}::uuid)`;
  const rows = await appsWhere(db, sql`${owned(whose)} and ${isListed} and ${later}`, limit + 1);
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { connected_apps: await showApps(db, page), next_cursor };
}

/** All of one person's, for their export. */
export const allAppsOf = async (db: Db, userId: string) =>
  showApps(db, await appsWhere(db, owned({ madeBy: userId }), 10_000));

export const findApp = async (db: Db | Trx, whose: AppsOf, id: string) =>
  (await showApps(db, await appsWhere(db, sql`${owned(whose)} and key.id = ${id}`)))[0] ?? null;

type Ended = AppsOf & { accountId: string; id?: string; since?: Date | undefined };

/** Ends grants and tells the log of the account. Nobody inherits a grant, because a person gave it. */
export async function endApps(trx: Trx, { accountId, madeBy, id, since }: Ended, cause: Cause): Promise<string[]> {
  const ended = await trx
    .updateTable('api_keys')
    .set({ revoked_at: sql<Date>`now()` })
    .where('account_id', '=', accountId)
    .where('app_client_id', 'is not', null)
    .where('revoked_at', 'is', null)
    .$if(id !== undefined, (keys) => keys.where('id', '=', id ?? ''))
    .$if(madeBy !== undefined, (keys) => keys.where('created_by', '=', madeBy ?? ''))
    .$if(since !== undefined, (keys) => keys.where('created_at', '>=', since ?? new Date(0)))
    .returning('id')
    .execute();
  if (ended.length === 0) return [];
  await endLinksOfRevokedKeys(trx, accountId, cause);
  const ids = ended.map((row) => row.id);
  const events = ids.map((appId) => ({
    type: 'api_key.revoked' as const,
    data: { api_key_id: showId('key', appId) },
  }));
  await appendEvents(trx, accountId, cause, events);
  return ids;
}

/** Apps of somebody who may no longer order keep reading. One that could only write ends. */
export async function narrowApps(trx: Trx, { accountId, madeBy }: Required<AppsOf>, cause: Cause): Promise<void> {
  const { rows } = await sql<{ id: string; reads: boolean }>`
    select id, 'api:read' = any(scopes) as reads from api_keys
    where account_id = ${accountId} and created_by = ${madeBy} and app_client_id is not null and revoked_at is null
      and 'api:write' = any(scopes) order by id for update`.execute(trx);
  const reading = rows.filter(({ reads }) => reads).map(({ id }) => id);
  await sql`
    update api_keys set scopes = '{api:read}'
    where account_id = ${accountId} and id = any(${reading}::uuid[])`.execute(trx);
  for (const { id, reads } of rows) if (!reads) await endApps(trx, { accountId, id }, cause);
}

/** Ends the grants of apps in all accounts by a few statements, however many grants there are. */
export async function endGrantsOf(trx: Trx, clientIds: readonly string[], cause: Cause): Promise<void> {
  const { rows } = await sql<{ id: string; account_id: string }>`
    with live as (
      select id from api_keys
      where app_client_id = any(${clientIds}::text[]) and revoked_at is null and expires_at > now()
      order by id for no key update)
    update api_keys key set revoked_at = now() from live where key.id = live.id
    returning key.id, key.account_id`.execute(trx);
  const ids = rows.map(({ id }) => id);
  await endLinksOfKeys(trx, ids, cause);
  const events = rows.map(({ id, account_id }) => ({
    accountId: account_id,
    type: 'api_key.revoked' as const,
    data: { api_key_id: showId('key', id) },
  }));
  await appendToAccounts(trx, cause, events);
}
