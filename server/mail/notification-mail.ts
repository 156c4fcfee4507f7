import { sql } from 'kysely';
import { rolesWith } from '../../contract/desk/operator-roles.ts';
import { type MailKind, patience, subjectAbout, withoutLinks } from './letter.ts';
import { notificationColumns, type NotificationRow, wordsColumn, wordsOf } from './notification-words.ts';

type Mailed = NotificationRow & { email: string };

/** Whether it still holds: the work is not delivered yet, or review or order wait. For `notifications n`. */
const stillHolds = sql<boolean>`(case when n.kind = 'order_waiting' then exists (select from orders o
    where o.account_id = n.account_id and o.id = n.cause::uuid and o.status = 'waiting' and o.lapses_at > now())
  else n.kind not in ('asked_to_look', 'approval_due', 'due_soon', 'overdue', 'parked', 'lease_lost', 'returned', 'in_review') end
  or exists (select from jobs j where j.account_id = n.account_id and j.id = n.job_id and case
    when n.kind in ('asked_to_look', 'approval_due') then j.status = 'ready_for_customer_review'
    when n.kind in ('parked', 'lease_lost') then j.status = 'queued'
    when n.kind = 'returned' then j.status = 'running' and j.operator_id = n.user_id
    when n.kind = 'in_review' then j.status = 'needs_review'
    else j.status in ('queued', 'accepted', 'running', 'needs_review') end))`;

/** A member of its account, or an operator, may still see it. For `notifications n` and `people u`. */
const isStillTheirs = sql<boolean>`case
  when n.kind = 'in_review' then u.operator_role = any(${rolesWith('review')}::text[])
  when n.kind = 'unheld_due' then u.operator_role = any(${rolesWith('direct')}::text[])
  when n.side in ('studio', 'desk') then u.operator
  when n.side = 'office' then u.operator_role = any(${rolesWith('manage_records')}::text[])
  when n.account_id is null then true
  else exists (select from members m where m.account_id = n.account_id and m.user_id = n.user_id
    and (n.kind <> 'order_waiting' or m.role in ('owner', 'admin'))) end`;

const quotedKinds: readonly NotificationRow['kind'][] = ['colleague', 'handed_over', 'returned'];

/** What a colleague or a guest wrote stands in its mail; what is said across has mails of its own. */
const quoted = ({ kind, words }: NotificationRow): string[] =>
  quotedKinds.includes(kind) && words ? [`${withoutLinks(words.author)}: “${withoutLinks(words.text)}”`] : [];

/** What people of the account wrote leads nowhere. */
const mailed = (row: NotificationRow) =>
  wordsOf({ ...row, about: withoutLinks(row.about), by_name: withoutLinks(row.by_name ?? '') });

/** Dropped if the person has seen it or may not see it, or if it does not hold. */
export const notification: MailKind<{ userId: string; data: { notification_id: string } }> = {
  hours: patience,
  counted: false,
  async compose(db, { userId, data: { notification_id } }) {
    const { rows } = await sql<Mailed>`
      select ${notificationColumns}, ${wordsColumn}, u.email from notifications n join people u on u.id = n.user_id
      where n.id = ${notification_id} and n.user_id = ${userId} and n.read_at is null and ${isStillTheirs} and ${stillHolds}`.execute(
      db,
    );
    const [row] = rows;
    if (!row) return null;
    const { title, text, path, button } = mailed(row);
    return {
      to: row.email,
      subject: subjectAbout(title, withoutLinks(row.about)),
      body: [text, ...quoted(row), { path, button }],
      of: row.kind,
    };
  },
};

/** Of more, the page has the rest. */
const mostListed = 30;

/** Everything of a day that the person has not yet seen in the app. */
export const digest: MailKind<{ userId: string; data: { digest_id: string } }> = {
  hours: patience,
  counted: false,
  async compose(db, { userId, data: { digest_id } }) {
    const { rows } = await sql<Mailed>`
      select ${notificationColumns}, u.email from notifications n join people u on u.id = n.user_id
      where n.digest_id = ${digest_id} and n.user_id = ${userId} and n.read_at is null and ${isStillTheirs} and ${stillHolds}
        and not exists (select from notification_choices c
          where c.user_id = n.user_id and c.kind = n.kind and c.mail = 'never')
      order by n.created_at, n.id limit ${mostListed + 1}`.execute(db);
    const [first] = rows;
    if (!first) return null;
    const lines = rows.slice(0, mostListed).flatMap((row) => {
      const { text, path, button } = mailed(row);
      return [text, { path, button }];
    });
    return {
      to: first.email,
      subject:
        rows.length === 1
          ? '1 thing since yesterday'
          : `${rows.length > mostListed ? `More than ${mostListed}` : rows.length} things since yesterday`,
      body: [...lines, ...(rows.length > mostListed ? ['There are more in the app.'] : [])],
      of: 'daily',
    };
  },
};
