import { appendAudit } from '../audit/append-audit.ts';
import type { acceptInvitation as endpoint } from '../../contract/people/invitations.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Cause, Person, Request } from '../http/request.ts';
import type { Db, Trx } from '../db/pool.ts';
import { readId, showId } from '../lib/id.ts';
import { accountsOf, actFor, showAccount } from './account.ts';
import { digestOf } from '../mail/mail-token.ts';
import { joinAccount, lockOpenInvitation, type OpenInvitation } from './join-account.ts';
import { inviteeRefusal, noInvitation } from './received-invitation.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';

export async function acceptInvitation(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  return withIdempotencyKey(db, request, async (trx) => {
    const id = readId('inv', params.id);
    const invitation = id && (await lockOpenInvitation(trx, { id }));
    if (!invitation) throw noInvitation();
    const emailVerified = caller.emailVerified || provesAddress(invitation, body.token);
    const refusal = inviteeRefusal({ ...caller, emailVerified }, invitation.email);
    if (refusal) throw refusal;
    if (!caller.emailVerified) await verifyAddress(trx, caller, cause);
    await joinAccount(trx, invitation, caller.userId, cause);
    const { account_id } = invitation;
    await actFor(trx, caller, account_id);
    const account = await accountsOf(trx, caller.userId).where('account.id', '=', account_id).executeTakeFirstOrThrow();
    return { status: 200, body: { account: showAccount(account, account_id) }, accountId: account_id };
  });
}

/** The mail went to the invited address, so its token proves the address. */
const provesAddress = ({ token_digest }: OpenInvitation, token: string | undefined): boolean =>
  token !== undefined && token_digest !== null && digestOf(token).equals(token_digest);

async function verifyAddress(trx: Trx, { userId, email }: Person, cause: Cause): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('people')
    .set({ email_verified: true })
    .where('id', '=', userId)
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw noInvitation();
  const subject = showId('user', userId);
  await appendAudit(trx, cause, { action: 'user.email_verified', subject, accountId: null });
}
