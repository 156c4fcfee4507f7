import type { listOperators as endpoint } from '../../../contract/desk/operators.ts';
import { byCreation, cutPage, readCursor } from '../../db/cursor.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import type { Signer } from '../../lib/signer.ts';
import type { Db } from '../../db/pool.ts';
import { readOperators, showOperator } from './operator.ts';

export async function listOperators(
  { db, signer }: { db: Db; signer: Signer },
  { caller, query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listOperators'];
  const rows = await readOperators(db, readCursor(signer, scope, cursor), limit + 1);
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { operators: page.map((row) => showOperator(row, caller)), next_cursor } };
}
