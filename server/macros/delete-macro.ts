import { sql } from 'kysely';
import type { deleteMacro as endpoint } from '../../contract/desk/macros.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { lockMacros, macroNamed, showMacro } from './macro.ts';

export async function deleteMacro(
  { db }: { db: Db },
  { params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return transact(db, async (trx) => {
    await lockMacros(trx);
    const macro = await macroNamed(trx, params.id);
    await sql`delete from macros where id = ${macro.id}`.execute(trx);
    await appendAudit(trx, cause, { action: 'macro.deleted', subject: params.id, accountId: null });
    return { status: 200, body: { macro: showMacro(macro) } };
  });
}
