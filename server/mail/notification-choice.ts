import { type RawBuilder, sql } from 'kysely';
import { kindNames, kindOf, type mailChoices, type NotificationKind } from '../../contract/people/notifications.ts';
import { may, type OperatorRole } from '../../contract/desk/operator-roles.ts';
import type { Db, Trx } from '../db/pool.ts';

export type MailChoice = (typeof mailChoices)[number];

/** How the person is notified of the kind. For statements that know the person by this column. */
export const choiceOf = (kind: NotificationKind, userId: RawBuilder<unknown>) => sql<MailChoice>`coalesce(
  (select c.mail from notification_choices c where c.user_id = ${userId} and c.kind = ${kind}),
  ${kindOf(kind).usually})`;

/** Whether the person is mailed at once. */
export async function wantsMail(db: Db | Trx, userId: string, kind: NotificationKind): Promise<boolean> {
  const { rows } = await sql<{ mail: MailChoice }>`select ${choiceOf(kind, sql`${userId}::uuid`)} as mail`.execute(db);
  return rows[0]?.mail === 'now';
}

type Chooser = { userId: string; operatorRole: OperatorRole | null };

/** The kinds that the person can get. */
export async function choicesOf(db: Db | Trx, { userId, operatorRole: role }: Chooser) {
  const chosen = db.selectFrom('notification_choices').select(['kind', 'mail']).where('user_id', '=', userId);
  const mails = new Map((await chosen.execute()).map(({ kind, mail }) => [kind, mail as MailChoice]));
  return kindNames
    .map((kind) => ({ kind, ...kindOf(kind) }))
    .filter(({ side, right }) => side === 'customer' || (role !== null && (!right || may(role, right))))
    .map(({ kind, side, says, usually }) => ({ kind, side, says, mail: mails.get(kind) ?? usually }));
}

/** Returns whether that changed something. */
export async function chooseMail(
  trx: Trx,
  userId: string,
  kinds: readonly NotificationKind[],
  mail: MailChoice,
): Promise<boolean> {
  const { rows } = await sql`
    insert into notification_choices as c (user_id, kind, mail)
    select ${userId}::uuid, kind, ${mail} from unnest(${kinds}::text[]) kind
    on conflict (user_id, kind) do update set mail = excluded.mail where c.mail <> excluded.mail
    returning kind`.execute(trx);
  // Notifications that wait for the mail of the day wait no longer.
  if (mail !== 'daily')
    await sql`
      update notifications set daily = false
      where user_id = ${userId} and daily and kind = any(${kinds}::text[])`.execute(trx);
  return rows.length > 0;
}
