import { sql } from 'kysely';
import type { replaceMacro as endpoint } from '../../contract/desk/macros.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { lockMacros, macroNamed, refuseTakenName, refuseUnknownPlaceholders, showMacro } from './macro.ts';

export async function replaceMacro(
  { db }: { db: Db },
  { params, body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  refuseUnknownPlaceholders(body.text);
  return transact(db, async (trx) => {
    await lockMacros(trx);
    const { id } = await macroNamed(trx, params.id);
    await refuseTakenName(trx, body.name, id);
    await sql`
      update macros set name = ${body.name}, text = ${body.text}, updated_at = now() where id = ${id}`.execute(trx);
    await appendAudit(trx, cause, { action: 'macro.updated', subject: params.id, accountId: null });
    return { status: 200, body: { macro: showMacro(await macroNamed(trx, params.id)) } };
  });
}
