import { sql } from 'kysely';
import type { listApiKeys as endpoint } from '../../contract/developer/keys.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import { keysOf, showKey } from './api-key.ts';
import type { Db } from '../db/pool.ts';
import type { Signer } from '../lib/signer.ts';

export async function listApiKeys(
  { db, signer }: { db: Db; signer: Signer },
  { caller: { accountId }, query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listApiKeys', accountId];
  const from = readCursor(signer, scope, cursor);
  const rows = await keysOf(db, accountId)
    .$if(from !== null, (keys) => keys.where(sql<boolean>`(key.created_at, key.id) < (${from?.at}, ${from?.id})`))
    .orderBy('key.created_at', 'desc')
    .orderBy('key.id', 'desc')
    .limit(limit + 1)
    .execute();
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { api_keys: page.map(showKey), next_cursor } };
}
