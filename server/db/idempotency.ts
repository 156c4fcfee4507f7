import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from './pool.ts';
import { Refusal } from '../http/refusal.ts';
import { deleteInBatches } from './delete-in-batches.ts';

/** How long an Idempotency-Key is remembered. */
export const keptFor = sql`interval '30 days'`;

/** One request that is to have one effect. `ownerId` is the account, at the desk the operator or the worker key. */
export type Attempt = { ownerId: string; route: string; key: string | null; body: unknown };

/** Deletes what was kept for its time. */
export const forgetIdempotencyKeys = (db: Db, stopped: AbortSignal): Promise<void> =>
  deleteInBatches(
    db,
    sql`
      delete from idempotency_keys where (owner_id, route, key) in (
        select owner_id, route, key from idempotency_keys where created_at <= now() - ${keptFor}
        limit 1000 for update skip locked)`,
    stopped,
  );

/** What a key was answered. Undefined for a key that nothing was answered to, or too long ago. */
export const findStoredAnswer = (
  db: Db | Trx,
  { ownerId, route, key }: { ownerId: string; route: string; key: string },
) =>
  db
    .selectFrom('idempotency_keys')
    .where((row) => row.and({ owner_id: ownerId, route, key }))
    .where(sql<boolean>`created_at > now() - ${keptFor}`)
    .select(['fingerprint', 'status', 'answer'])
    .executeTakeFirst();

type Answer = { status: number; body: unknown; headers?: Record<string, string | string[]> };

/** The same whatever the order of the fields: two spellings of one request are one request. */
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

/**
 * Runs `run` in a transaction, at most once per owner, route and key. The row is inserted first, so a second request
 * with the key waits for the first and then gets its answer. A refusal rolls the row back with everything else: only
 * executed results are kept, and mending the cause and trying again works.
 */
export async function withIdempotencyKey<A extends Answer>(
  db: Db,
  attempt: Attempt,
  run: (trx: Trx) => Promise<A>,
): Promise<A> {
  const { ownerId, route, key } = attempt;
  return db.transaction().execute(async (trx) => {
    if (key === null) return run(trx);
    const print = fingerprint(attempt.body);
    const inserted = await sql`
      insert into idempotency_keys (owner_id, route, key, fingerprint, status, answer)
      values (${ownerId}, ${route}, ${key}, ${print}, 0, 'null')
      on conflict (owner_id, route, key) do update
        set fingerprint = excluded.fingerprint, created_at = now()
        where idempotency_keys.created_at <= now() - ${keptFor}
      returning key`.execute(trx);
    const row = trx.updateTable('idempotency_keys').where((row) => row.and({ owner_id: ownerId, route, key }));
    if (inserted.rows.length > 0) {
      const answer = await run(trx);
      await row.set({ status: answer.status, answer: JSON.stringify(answer.body ?? null) }).execute();
      return answer;
    }
    const kept = await findStoredAnswer(trx, { ownerId, route, key });
    if (!kept) throw new Error('An Idempotency-Key vanished while its row was locked.');
    if (kept.fingerprint !== print) throw new Refusal('idempotency_key_conflict');
    const replay: Answer = { status: kept.status, body: kept.answer, headers: { 'idempotent-replayed': 'true' } };
    return replay as A;
  });
}
