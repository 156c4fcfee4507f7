import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { type Db, transact, type Trx } from './pool.ts';
import type { KeyOwner } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { deleteByAccount, deleteInBatches } from './delete-in-batches.ts';

/** How long an Idempotency-Key is remembered. */
export const keptFor = sql`interval '30 days'`;

export type KeyedRequest = { keyOwner: KeyOwner | null; route: string; idempotencyKey: string | null; body?: unknown };

const ofAccounts = { table: sql.table('idempotency_keys'), owner: sql.ref('account_id') };
const ofCallers = { table: sql.table('caller_idempotency_keys'), owner: sql.ref('caller_id') };
type Key = { account_id: string; route: string; key: string };
const placeOf = (owner: KeyOwner) =>
  'accountId' in owner ? { ...ofAccounts, id: owner.accountId } : { ...ofCallers, id: owner.callerId };

export async function forgetIdempotencyKeys(db: Db, stopped: AbortSignal): Promise<void> {
  const expired = sql<Key>`
    select account_id, route, key from idempotency_keys where created_at <= now() - ${keptFor} limit 10000`;
  await deleteByAccount(db, expired, deleteKeysOf, stopped);
  await deleteInBatches(
    db,
    sql`
      with expired as (
        select caller_id, route, key from caller_idempotency_keys where created_at <= now() - ${keptFor}
        limit 1000 for update skip locked)
      delete from caller_idempotency_keys k using expired e
      where k.caller_id = e.caller_id and k.route = e.route and k.key = e.key`,
    stopped,
  );
}

/** Asks again under the lock: a request may have taken over an expired key. */
const deleteKeysOf = (accountId: string, keys: readonly Key[]) => sql`
  with expired as (
    select k.route, k.key
    from unnest(${keys.map(({ route }) => route)}::text[], ${keys.map(({ key }) => key)}::text[]) as c (route, key)
    join idempotency_keys k on k.account_id = ${accountId} and k.route = c.route and k.key = c.key
    where k.created_at <= now() - ${keptFor}
    for update of k skip locked)
  delete from idempotency_keys k using expired e
  where k.account_id = ${accountId} and k.route = e.route and k.key = e.key`;

type StoredAnswer = { fingerprint: string; status: number; answer: unknown };

/** The stored answer for a key; undefined if there is none or it has expired. */
export async function findStoredAnswer(
  db: Db | Trx,
  { owner, route, key }: { owner: KeyOwner; route: string; key: string },
): Promise<StoredAnswer | undefined> {
  const place = placeOf(owner);
  const { rows } = await sql<StoredAnswer>`
    select fingerprint, status, answer from ${place.table}
    where ${place.owner} = ${place.id} and route = ${route} and key = ${key}
      and created_at > now() - ${keptFor}`.execute(db);
  return rows[0];
}

type Answer = { status: number; body: unknown; headers?: Record<string, string | string[]> };
type Recorded<A extends Answer> = A & {
  /** For keys of a caller: the account that the answer is about, with which it is deleted. Null for none. */
  accountId?: string | null;
  /** What is stored instead of these fields of the body: no secret, and an id instead of a large copy. */
  repeat?: { [field in keyof A['body']]?: string | { id: string } | null };
};

/** Independent of field order: two spellings of one request are one request. */
export const fingerprint = (body: unknown): string =>
  createHash('sha256')
    .update(
      JSON.stringify(body ?? {}, (_, value) =>
        isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
      ),
    )
    .digest('base64url');

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const replay = ({ status, answer }: StoredAnswer): Answer => ({
  status,
  body: answer,
  headers: { 'idempotent-replayed': 'true' },
});

/**
 * The answer to an earlier request with this key; null for a new key. For verbs that check or ask others
 * before their transaction, which a repeat must not do again.
 */
export async function earlierAnswer<A extends Answer>(
  db: Db,
  { keyOwner: owner, route, idempotencyKey: key, body }: KeyedRequest,
): Promise<A | null> {
  if (owner === null || key === null) return null;
  const stored = await findStoredAnswer(db, { owner, route, key });
  if (!stored) return null;
  if (stored.fingerprint !== fingerprint(body)) throw new Refusal('idempotency_key_conflict');
  return replay(stored) as A;
}

/** As if the request with this key had been answered: for what somebody else did about it later. */
export const storeAnswer = (
  trx: Trx,
  { accountId, route, key, fingerprint: print }: { accountId: string; route: string; key: string; fingerprint: string },
  { status, body }: { status: number; body: unknown },
) =>
  sql`
    insert into idempotency_keys (account_id, route, key, fingerprint, status, answer)
    values (${accountId}, ${route}, ${key}, ${print}, ${status}, ${JSON.stringify(body)})
    on conflict (account_id, route, key) do update
      set fingerprint = excluded.fingerprint, status = excluded.status, answer = excluded.answer,
        created_at = excluded.created_at`.execute(trx);

/** At most once per owner, route and key: a second request waits for the first. Refusals store nothing. */
export async function withIdempotencyKey<A extends Answer>(
  db: Db,
  { keyOwner: owner, route, idempotencyKey: key, body }: KeyedRequest,
  run: (trx: Trx) => Promise<Recorded<A>>,
): Promise<A> {
  return transact(db, async (trx) => {
    if (owner === null || key === null) return run(trx);
    const place = placeOf(owner);
    const print = fingerprint(body);
    const inserted = await sql`
      insert into ${place.table} as kept (${place.owner}, route, key, fingerprint, status, answer)
      values (${place.id}, ${route}, ${key}, ${print}, 0, 'null')
      on conflict (${place.owner}, route, key) do update
        set fingerprint = excluded.fingerprint, created_at = excluded.created_at
        where excluded.created_at - kept.created_at >= ${keptFor}
      returning key`.execute(trx);
    if (inserted.rows.length > 0) {
      const answer = await run(trx);
      const accountId = 'accountId' in owner ? owner.accountId : answer.accountId;
      if (accountId === undefined) throw new Error('The answer does not say which account it is about.');
      const stored = answer.repeat ? { ...(answer.body as object), ...answer.repeat } : (answer.body ?? null);
      await sql`
        update ${place.table}
        set account_id = ${accountId}, status = ${answer.status}, answer = ${JSON.stringify(stored)}
        where ${place.owner} = ${place.id} and route = ${route} and key = ${key}`.execute(trx);
      return answer;
    }
    const stored = await findStoredAnswer(trx, { owner, route, key });
    if (!stored) throw new Error('An Idempotency-Key vanished while its row was locked.');
    if (stored.fingerprint !== print) throw new Refusal('idempotency_key_conflict');
    return replay(stored) as A;
  });
}
