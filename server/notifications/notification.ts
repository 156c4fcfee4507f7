import type { NotificationKind } from '../../contract/people/notifications.ts';
import { type RawBuilder, sql } from 'kysely';
import { may } from '../../contract/desk/operator-roles.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { Person } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import { type NotificationRow, saidByOthers, wordsOf } from '../mail/notification-words.ts';

export type Side = 'customer' | 'studio';

export function showNotification(row: NotificationRow) {
  const { title, path } = wordsOf(row);
  return {
    id: showId('ntf', row.id),
    kind: row.kind,
    title,
    about: row.about,
    job_id: row.job_id === null ? null : showId('job', row.job_id),
    words: row.words ?? null,
    path,
    created_at: row.created_at.toISOString(),
    read_at: row.read_at?.toISOString() ?? null,
  };
}

/** As rows have it: what only owners are told stands apart, and what colleagues say. */
export function storedSides({ operatorRole: role }: Person, side: Side): string[] {
  if (side === 'customer') return [side, 'team'];
  if (role === null) return [];
  return may(role, 'manage_records') ? [side, 'desk', 'office'] : [side, 'desk'];
}

/** Those of the person and of the session's account, or of the desk. For `notifications n`. */
export function seenBy(caller: Person, side: Side): RawBuilder<boolean> {
  const mine = sql`n.user_id = ${caller.userId} and n.side = any(${storedSides(caller, side)}::text[])`;
  if (side === 'studio') return sql<boolean>`(${mine})`;
  return sql<boolean>`(${mine} and (n.account_id is null or n.account_id = ${caller.accountId}::uuid))`;
}

const most = 100;

/** What is told of one job is one thing, except at the desk. For `notifications n`. */
const thing = (side: Side) => (side === 'customer' ? sql`coalesce(n.job_id, n.id)` : sql`n.id`);

/** Of what is told of its job, the newest that was not seen, else the newest. For `notifications n`. */
export const isNewest = (caller: Person, side: Side) => sql<boolean>`(${thing(side)} = n.id or not exists (
  select from notifications o where o.account_id = n.account_id and o.job_id = n.job_id and o.user_id = n.user_id
    and o.side = any(${storedSides(caller, side)}::text[]) and (o.read_at is null, o.created_at, o.id) > (n.read_at is null, n.created_at, n.id)))`;

export async function countUnread(db: Db | Trx, caller: Person, side: Side): Promise<number> {
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread from (
      select distinct ${thing(side)} from notifications n where ${seenBy(caller, side)} and n.read_at is null
      limit ${most}) n`.execute(db);
  return rows[0]?.unread ?? 0;
}

type Job = { account_id: string; id: string };

/** Whether there is a message of the other side that its person has not read. For `notifications n`. */
const hasUnread = ({ account_id, id }: Job) => sql<boolean>`exists (select from job_messages s
  left join job_readers r on r.account_id = ${account_id} and r.job_id = ${id} and r.user_id = n.user_id
  where s.account_id = ${account_id} and s.job_id = ${id} and s.withdrawn_at is null
    and (s.author = 'customer') = (n.side = 'studio')
    and s.id > coalesce(r.read_message_id, '00000000-0000-0000-0000-000000000000'))`;

const unreadAbout = ({ account_id, id }: Job) => sql<boolean>`(n.account_id = ${account_id} and n.job_id = ${id}
  and n.kind in ('message', 'customer_message') and n.read_at is null)`;

/** The person has read messages of the job: if none is left, they have seen that there are some. */
export const seeMessages = (trx: Trx, userId: string, job: Job) =>
  sql`
    update notifications n set read_at = now()
    where n.user_id = ${userId} and ${unreadAbout(job)} and not ${hasUnread(job)}`.execute(trx);

/** A message was withdrawn: the notification ends for people who had no other unread one. */
export const forgetMessages = (trx: Trx, job: Job) =>
  sql`delete from notifications n where ${unreadAbout(job)} and not ${hasUnread(job)}`.execute(trx);

/** Something said was taken back: the notification ends if nothing is left of what it told. */
export const forgetColleagues = (trx: Trx, { account_id, id }: Job) =>
  sql`
    delete from notifications n
    where n.account_id = ${account_id} and n.job_id = ${id} and n.kind = 'colleague' and n.read_at is null
      and not exists (select from ${saidByOthers(sql`${account_id}`, sql`${id}`)} s
        where s.id::text >= n.cause collate "C")`.execute(trx);

/** What members were asked to do is done, or has ended: nobody has to look at it any more. */
export async function settleNews(trx: Trx, accountId: string, kind: NotificationKind, causes: string[]): Promise<void> {
  if (causes.length === 0) return;
  await sql`
    update notifications set read_at = now()
    where user_id = any(array(select user_id from members where account_id = ${accountId}))
      and account_id = ${accountId} and kind = ${kind} and cause = any(${causes}) and read_at is null`.execute(trx);
}

/** A move made these old: whoever was told need not look any more. */
export const settleMoved = (trx: Trx, { account_id, id }: Job) =>
  sql`
    update notifications set read_at = now()
    where account_id = ${account_id} and job_id = ${id} and side = 'desk' and kind in ('returned', 'in_review')
      and read_at is null`.execute(trx);

/** Somebody opened the job at the desk. New messages count until they are read. */
export const seeAtDesk = (trx: Trx, userId: string, { account_id, id }: Job) =>
  sql`
    update notifications set read_at = now()
    where user_id = ${userId} and account_id = ${account_id} and job_id = ${id} and side in ('studio', 'desk')
      and kind <> 'customer_message' and read_at is null`.execute(trx);

const isUnheld = (userId: string) => sql`n.user_id = ${userId} and n.side = 'desk' and n.kind = 'unheld_due'`;

/** No job without a holder is late any more. */
export async function settleUnheld(trx: Trx, userId: string): Promise<void> {
  await sql`update notifications n set read_at = now() where ${isUnheld(userId)} and n.read_at is null`.execute(trx);
  await sql`
    update notifications n set state = '0' where ${isUnheld(userId)} and n.state is distinct from '0'`.execute(trx);
}

type Unheld = { count: number; since: Date | null; about: string };

/**
 * Keeps the words of the unseen line true; `state` is the number that the person knows, or fewer since.
 * False if it is time for a new line.
 */
export async function updateUnheld(trx: Trx, userId: string, { count, since, about }: Unheld): Promise<boolean> {
  const { rows } = await sql`
    with line as (
      select n.id, n.created_at, n.read_at, n.state::int as known from notifications n
      where ${isUnheld(userId)} order by n.created_at desc, n.id desc limit 1
    ), updated as (
      update notifications n set state = ${String(count)}, about = case when n.read_at is null then ${about} else n.about end
      from line where n.id = line.id
        and case when n.read_at is null then n.about <> ${about} else ${count}::int < line.known end)
    select from line where read_at is null or created_at > now() - interval '1 hour'
      or (${count}::int <= known and ${since}::timestamptz <= read_at)`.execute(trx);
  return rows.length > 0;
}
