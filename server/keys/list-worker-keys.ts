import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listWorkerKeys as endpoint } from '../../contract/workers.ts';
import { showWorkerKey, workerKeys } from './worker-key.ts';
import type { Db } from '../db/pool.ts';

export async function listWorkerKeys({ db }: { db: Db }): Promise<AnswerOf<typeof endpoint>> {
  const keys = await workerKeys(db).orderBy('k.created_at', 'desc').orderBy('k.id', 'desc').execute();
  return { status: 200, body: { worker_keys: keys.map(showWorkerKey) } };
}
