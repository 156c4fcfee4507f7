import type { AnswerOf } from '../../contract/endpoint.ts';
import type { listApiKeys as endpoint } from '../../contract/keys.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { keysOf, showKey } from './api-key.ts';

export async function listApiKeys(db: Db, { caller }: Request<typeof endpoint>): Promise<AnswerOf<typeof endpoint>> {
  const keys = await keysOf(db, caller.accountId).orderBy('created_at', 'desc').orderBy('id', 'desc').execute();
  return { status: 200, body: { api_keys: keys.map(showKey) } };
}
