import { sql } from 'kysely';
import { kindOf, type NotificationKind } from '../../contract/people/notifications.ts';
import type { Trx } from '../db/pool.ts';
import type { NewMail } from '../mail/kinds.ts';
import { queueMail } from '../mail/outbox.ts';
import { choiceOf, type MailChoice } from '../mail/notification-choice.ts';

export type News = {
  kind: NotificationKind;
  /** What happened, such as the id of an event. A person is notified of it once. */
  cause: string;
  accountId: string | null;
  jobId?: string;
  state?: string;
  /** What it happened to: the title of the job, or what stands for it. */
  about: string;
  /** Who asked, where a person did. */
  byUser?: string;
};

/**
 * What the version before has no words for has a side of its own, which that version does not read: what is
 * for some roles only, what colleagues say, and what happens to work at the desk.
 */
function storedSide(kind: NotificationKind) {
  const { right, team, desk, side } = kindOf(kind);
  return desk ? 'desk' : right ? 'office' : team ? 'team' : side;
}

type NewRow = { id: string; user_id: string; mail: MailChoice };
type MailOf = (userId: string, notificationId: string) => NewMail;

const usualMail: MailOf = (userId, notification_id) => ({ kind: 'notification', userId, data: { notification_id } });

/**
 * Notifies people in the app, and by mail those who want one now. `mailOf`: null if its mails are queued
 * apart.
 */
export async function notify(
  trx: Trx,
  userIds: readonly string[],
  { kind, cause, accountId, jobId, state, about, byUser }: News,
  mailOf: MailOf | null = usualMail,
): Promise<void> {
  if (userIds.length === 0) return;
  const { rows } = await sql<NewRow>`
    with told as (
      select u.id, ${choiceOf(kind, sql`u.id`)} as mail from people u where u.id = any(${userIds}::uuid[])
    ), made as (
      insert into notifications (user_id, kind, side, account_id, job_id, cause, state, about, by_user, daily)
      select id, ${kind}, ${storedSide(kind)}, ${accountId}::uuid, ${jobId ?? null}::uuid, ${cause},
        ${state ?? null}, ${about}, ${byUser ?? null}::uuid, mail = 'daily'
      from told
      on conflict (user_id, kind, cause) do nothing
      returning id, user_id)
    select made.id, made.user_id, told.mail from made join told on told.id = made.user_id`.execute(trx);
  if (mailOf === null) return;
  for (const { id, user_id, mail } of rows) if (mail === 'now') await queueMail(trx, mailOf(user_id, id));
}

/** Something unseen happened again: it is new, and in the next mail of the day. False if there is none. */
export async function renewNews(
  trx: Trx,
  userId: string,
  job: { account_id: string; id: string },
  kind: NotificationKind,
  state: string | null = null,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update notifications set created_at = now(), state = ${state}, daily = ${choiceOf(kind, sql`${userId}::uuid`)} = 'daily'
    where user_id = ${userId} and account_id = ${job.account_id} and job_id = ${job.id} and kind = ${kind}
      and read_at is null`.execute(trx);
  return numAffectedRows > 0n;
}
