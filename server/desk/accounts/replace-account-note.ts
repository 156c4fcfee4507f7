import { sql } from 'kysely';
import type { replaceAccountNote as endpoint } from '../../../contract/desk/account-notes.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { type Db, lockCounters, transact, type Trx } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { deskAccountUuid, unknownAccount } from './desk-account.ts';
import { readAccount } from './read-account.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';

/** The audit says who changed it, not what it says. */
export async function replaceAccountNote(
  dependencies: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const accountId = deskAccountUuid(params.id);
  await transact(dependencies.db, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    if ((await lockCounters(trx, accountId)).length === 0) throw unknownAccount();
    await writeNote(trx, accountId, caller.userId, body.body);
    await appendAudit(trx, cause, { action: 'account_note.updated', subject: params.id, accountId });
  });
  return readAccount(dependencies, request);
}

async function writeNote(trx: Trx, accountId: string, operatorId: string, body: string): Promise<void> {
  if (body.trim() === '') {
    await trx.deleteFrom('account_notes').where('account_id', '=', accountId).execute();
    return;
  }
  await sql`
    insert into account_notes (account_id, body, updated_by) values (${accountId}, ${body}, ${operatorId})
    on conflict (account_id) do update
      set body = excluded.body, updated_by = excluded.updated_by,
        updated_at = excluded.updated_at`.execute(trx);
}
