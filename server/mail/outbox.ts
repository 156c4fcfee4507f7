import { sql } from 'kysely';
import { announce, type Db, type Trx } from '../db/pool.ts';
import type { About } from './letter.ts';
import { mailKinds, type NewMail } from './kinds.ts';
import type { Purpose } from './mail-token.ts';

/** Queues a mail in the transaction of the change that it announces, to be sent after the delay. */
export async function queueMail(db: Db | Trx, mail: NewMail, delaySeconds = 0): Promise<void> {
  const { userId, address, data = {} }: About = mail;
  const expires_at = sql<Date>`now() + make_interval(hours => ${mailKinds[mail.kind].hours}, secs => ${delaySeconds})`;
  const row = {
    kind: mail.kind,
    user_id: userId ?? null,
    address: address ?? null,
    data: JSON.stringify(data),
    ...(delaySeconds > 0 ? { due_at: sql<Date>`now() + make_interval(secs => ${delaySeconds})` } : {}),
    expires_at,
  };
  await db.insertInto('mails').values(row).execute();
  announce(db, mail.kind, 'mail');
}

/** Ends the mailed links for these purposes and drops unsent mails for them. */
export async function endMailTokens(trx: Trx, userId: string, purposes: readonly Purpose[]): Promise<void> {
  await trx.deleteFrom('mail_tokens').where('user_id', '=', userId).where('purpose', 'in', purposes).execute();
  await mailsTo(trx, userId).where('kind', 'in', purposes).execute(); // mail kinds are named like purposes
}

/** Must run before the address of a deleted person is overwritten. */
export const dropMails = (trx: Trx, userId: string) => mailsTo(trx, userId).execute();

/** Drops unsent mails of deleted invitations, so that no guest's address is left. */
export async function dropInvitationMails(trx: Trx, invitations: readonly { id: string }[]): Promise<void> {
  if (invitations.length === 0) return;
  await trx
    .deleteFrom('mails')
    .where('kind', '=', 'invitation')
    .where(
      sql<string>`data->>'invitation_id'`,
      'in',
      invitations.map(({ id }) => id),
    )
    .execute();
}

const mailsTo = (trx: Trx, userId: string) =>
  trx
    .deleteFrom('mails')
    .where((mail) =>
      mail.or([
        mail('user_id', '=', userId),
        mail('address', '=', mail.selectFrom('people').select('email').where('id', '=', userId)),
      ]),
    );
