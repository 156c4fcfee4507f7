import { sql } from 'kysely';
import type { acceptInvitation as endpoint } from '../../contract/invitations.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Request } from '../http/request.ts';
import type { Trx, Db } from '../db/pool.ts';
import { newId, readId } from '../lib/id.ts';
import { accountsOf, actFor, showAccount } from './account.ts';
import { inviteeRefusal, noInvitation } from './received-invitation.ts';

/** The invited person joins, and this session acts for the account from now on. Someone who is a member already keeps their role. */
export async function acceptInvitation(
  { db }: { db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  return db.transaction().execute(async (trx) => {
    const invitation = await holdOpenInvitation(trx, readId('inv', params.id));
    const refusal = inviteeRefusal(caller, invitation.email);
    if (refusal) throw refusal;
    const { id, account_id, role } = invitation;
    await trx
      .insertInto('auth.member')
      .values({ id: newId(), account_id, user_id: caller.userId, role })
      .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doNothing())
      .execute();
    await trx
      .updateTable('auth.invitation')
      .set({ status: 'accepted', accepted_by: caller.userId })
      .where('id', '=', id)
      .execute();
    await actFor(trx, caller, account_id);
    const { id: subject } = params;
    await appendAudit(trx, cause, { action: 'invitation.accepted', subject, accountId: account_id, details: { role } });
    const account = await accountsOf(trx, caller.userId).where('account.id', '=', account_id).executeTakeFirstOrThrow();
    return { status: 200, body: { account: showAccount(account, account_id) } };
  });
}

/** Held, so that it cannot be canceled or accepted twice meanwhile. */
async function holdOpenInvitation(trx: Trx, id: string | null) {
  const invitation =
    id &&
    (await trx
      .selectFrom('auth.invitation')
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('expires_at', '>', sql<Date>`now()`)
      .select(['id', 'account_id', 'email', 'role'])
      .forUpdate()
      .executeTakeFirst());
  if (invitation) return invitation;
  throw noInvitation();
}
