import { sql } from 'kysely';
import type { listWorkerKeys as endpoint } from '../../contract/desk/workers.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { showWorkerKey, workerKeys } from './worker-key.ts';
import type { Db } from '../db/pool.ts';

export async function listWorkerKeys(
  { db, signer }: { db: Db; signer: Signer },
  { query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listWorkerKeys'];
  const from = readCursor(signer, scope, cursor);
  const rows = await workerKeys(db)
    .$if(from !== null, (keys) => keys.where(sql<boolean>`(k.created_at, k.id) < (${from?.at}, ${from?.id})`))
    .orderBy('k.created_at', 'desc')
    .orderBy('k.id', 'desc')
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { worker_keys: page.map(showWorkerKey), next_cursor } };
}
