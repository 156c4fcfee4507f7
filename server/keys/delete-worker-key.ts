import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { deleteWorkerKey as endpoint } from '../../contract/workers.ts';
import type { Request } from '../http/request.ts';
import { showWorkerKey, shownOfWorkerKey } from './worker-key.ts';
import type { Db } from '../db/pool.ts';
import { readId } from '../lib/id.ts';
import { Refusal } from '../http/refusal.ts';

/** Revokes; the metadata stays. What the worker holds goes back to the queue when its lease expires. */
export async function deleteWorkerKey(
  db: Db,
  { params }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const id = readId('wkey', params.id);
  const row =
    id &&
    (await db
      .updateTable('worker_keys')
      .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
      .where('id', '=', id)
      .returning(shownOfWorkerKey)
      .executeTakeFirst());
  if (!row) throw new Refusal('not_found', { message: 'There is no such worker key.' });
  return { status: 200, body: { worker_key: showWorkerKey(row) } };
}
