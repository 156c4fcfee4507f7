import { sql } from 'kysely';
import { macroBounds } from '../../contract/desk/macro-text.ts';
import type { createMacro as endpoint } from '../../contract/desk/macros.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db, Trx } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { newId, showId } from '../lib/id.ts';
import { lockMacros, macroNamed, refuseTakenName, refuseUnknownPlaceholders, showMacro } from './macro.ts';

export async function createMacro(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  refuseUnknownPlaceholders(body.text);
  return withIdempotencyKey(db, request, async (trx) => {
    await lockMacros(trx);
    await refuseBeyondLimit(trx);
    await refuseTakenName(trx, body.name, null);
    const id = newId();
    await trx
      .insertInto('macros')
      .values({ id, ...body, created_by: caller.userId })
      .execute();
    const subject = showId('mac', id);
    await appendAudit(trx, cause, { action: 'macro.created', subject, accountId: null });
    return { status: 201, body: { macro: showMacro(await macroNamed(trx, subject)) }, accountId: null };
  });
}

async function refuseBeyondLimit(trx: Trx): Promise<void> {
  const { rows } = await sql<{ macros: number }>`select count(*)::int as macros from macros`.execute(trx);
  const count = rows[0]?.macros ?? 0;
  if (count >= macroBounds.count)
    throw new Refusal('limit_reached', {
      message: `The studio has ${count} macros, which is the limit.`,
      action: 'Delete one that is no longer used: DELETE /api/operator/v1/macros/{id}.',
    });
}
