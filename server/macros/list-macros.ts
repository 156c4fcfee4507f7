import { sql } from 'kysely';
import type { listMacros as endpoint } from '../../contract/desk/macros.ts';
import { byCreation, cutPage, readCursor } from '../db/cursor.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { type MacroRow, macros, showMacro } from './macro.ts';

export async function listMacros(
  { db, signer }: { db: Db; signer: Signer },
  { query: { cursor, limit = 25 } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const scope = ['listMacros'];
  const from = readCursor(signer, scope, cursor);
  const before = from === null ? sql`` : sql`where (m.created_at, m.id) < (${from.at}, ${from.id})`;
  const { rows } = await sql<MacroRow>`
    ${macros} ${before} order by m.created_at desc, m.id desc limit ${limit + 1}`.execute(db);
  const { page, next_cursor } = cutPage(signer, scope, rows, limit, byCreation);
  return { status: 200, body: { macros: page.map(showMacro), next_cursor } };
}
