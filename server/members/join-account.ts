import { sql } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import type { Trx } from '../db/pool.ts';
import type { Cause } from '../http/request.ts';
import { newId, showId } from '../lib/id.ts';
import { digestOf } from '../mail/mail-token.ts';
import type { Role } from '../../contract/plans/roles.ts';
import { replaceImported } from './imported-person.ts';

export type OpenInvitation = { id: string; account_id: string; email: string; role: Role; token_digest: Buffer | null };

export async function lockOpenInvitation(
  trx: Trx,
  by: { id: string } | { token: string },
): Promise<OpenInvitation | undefined> {
  return trx
    .selectFrom('invitations')
    .where((eb) => ('id' in by ? eb('id', '=', by.id) : eb('token_digest', '=', digestOf(by.token))))
    .where('status', '=', 'pending')
    .where('expires_at', '>', sql<Date>`now()`)
    .select(['id', 'account_id', 'email', 'role', 'token_digest'])
    .forUpdate()
    .executeTakeFirst();
}

/** Somebody who is already a member keeps their role. */
export async function joinAccount(
  trx: Trx,
  { id, account_id, email, role }: OpenInvitation,
  userId: string,
  cause: Cause,
): Promise<void> {
  await trx
    .insertInto('members')
    .values({ id: newId(), account_id, user_id: userId, role })
    .onConflict((conflict) => conflict.columns(['account_id', 'user_id']).doNothing())
    .execute();
  await replaceImported(trx, { accountId: account_id, userId, email });
  await trx.updateTable('invitations').set({ status: 'accepted', accepted_by: userId }).where('id', '=', id).execute();
  const subject = showId('inv', id);
  await appendAudit(trx, cause, { action: 'invitation.accepted', subject, accountId: account_id, details: { role } });
}
