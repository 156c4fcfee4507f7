import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from './pool.ts';
import { transact } from './transact.ts';
import { Refusal } from '../http/refusal.ts';
import { deleteInBatches } from './delete-in-batches.ts';

/** How long an Idempotency-Key is remembered. */
export const keptFor = sql`interval '30 days'`;

/** Who owns the key: an account or, at the desk, an operator or a worker key. */
export type KeyOwner = { accountId: string } | { deskCallerId: string };

type KeyedRequest = { route: string; idempotencyKey: string | null; body?: unknown };

const ofAccounts = { table: sql.table('idempotency_keys'), owner: sql.ref('account_id') };
const ofTheDesk = { table: sql.table('desk_idempotency_keys'), owner: sql.ref('caller_id') };
const placeOf = (owner: KeyOwner) =>
  'accountId' in owner ? { ...ofAccounts, id: owner.accountId } : { ...ofTheDesk, id: owner.deskCallerId };

export async function forgetIdempotencyKeys(db: Db, stopped: AbortSignal): Promise<void> {
  for (const { table, owner } of [ofAccounts, ofTheDesk])
    await deleteInBatches(
      db,
      sql`
        delete from ${table} where (${owner}, route, key) in (
          select ${owner}, route, key from ${table} where created_at <= now() - ${keptFor}
          limit 1000 for update skip locked)`,
      stopped,
    );
}

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
/** An answer of the desk names the account of its job, with which it is deleted. */
type AnswerAboutJob<A> = A & { accountId?: string };

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

/** At most once per owner, route and key: a second request waits for the first. Refusals store nothing. */
export async function withIdempotencyKey<A extends Answer>(
  db: Db,
  owner: KeyOwner,
  { route, idempotencyKey: key, body }: KeyedRequest,
  run: (trx: Trx) => Promise<AnswerAboutJob<A>>,
): Promise<A> {
  const place = placeOf(owner);
  return transact(db, async (trx) => {
    if (key === null) return run(trx);
    const print = fingerprint(body);
    const inserted = await sql`
      insert into ${place.table} as kept (${place.owner}, route, key, fingerprint, status, answer)
      values (${place.id}, ${route}, ${key}, ${print}, 0, 'null')
      on conflict (${place.owner}, route, key) do update
        set fingerprint = excluded.fingerprint, created_at = now()
        where kept.created_at <= now() - ${keptFor}
      returning key`.execute(trx);
    if (inserted.rows.length > 0) {
      const answer = await run(trx);
      const accountId = 'accountId' in owner ? owner.accountId : answer.accountId;
      if (accountId === undefined) throw new Error('An answer of the desk names no account.');
      await sql`
        update ${place.table} set account_id = ${accountId}, status = ${answer.status},
          answer = ${JSON.stringify(answer.body ?? null)}
        where ${place.owner} = ${place.id} and route = ${route} and key = ${key}`.execute(trx);
      return answer;
    }
    const stored = await findStoredAnswer(trx, { owner, route, key });
    if (!stored) throw new Error('An Idempotency-Key vanished while its row was locked.');
    if (stored.fingerprint !== print) throw new Refusal('idempotency_key_conflict');
    const replay: Answer = { status: stored.status, body: stored.answer, headers: { 'idempotent-replayed': 'true' } };
    return replay as A;
  });
}
