import { sql } from 'kysely';
import type { deleteWorkerKey as endpoint } from '../../contract/desk/workers.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showWorkerKey, workerKeys } from './worker-key.ts';
import { readId } from '../lib/id.ts';
import { Refusal } from '../http/refusal.ts';
import { type Db, transact } from '../db/pool.ts';

/** The row stays. Jobs held by the worker return to the queue when their leases expire. */
export async function deleteWorkerKey(
  { db }: { db: Db },
  { params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const id = readId('wkey', params.id);
  return transact(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('worker_keys')
      .set({ revoked_at: sql<Date>`now()` })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    const row = await workerKeys(trx).where('k.id', '=', id).executeTakeFirst();
    if (!row) throw new Refusal('worker_key_not_found');
    if (numUpdatedRows > 0n)
      await appendAudit(trx, cause, { action: 'worker_key.revoked', subject: params.id, accountId: null });
    return { status: 200, body: { worker_key: showWorkerKey(row) } };
  });
}
