import { sql } from 'kysely';
import type { Static } from 'typebox';
import { type Looker, lookingSeconds, shownLookers } from '../../contract/review/looking.ts';
import { deleteByAccount } from '../db/delete-in-batches.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { announceUnlogged } from '../events/unlogged-changes.ts';
import type { JobKey } from '../jobs/job-event.ts';
import { isLive } from '../keys/review-link.ts';

/** A member, or a guest of a link by the name that they entered. */
type LookingPerson = { userId: string | null; reviewLinkId: string | null; guestName: string | null };

/** Notes who looks, or no longer does. Open pages are woken when somebody comes or goes. */
export const noteLooking = (
  db: Db,
  job: JobKey,
  person: LookingPerson,
  looking: boolean,
): Promise<Static<typeof Looker>[]> =>
  transact(db, async (trx) => {
    const before = await findLookers(trx, job, person);
    if (looking) await keepLooker(trx, job, person);
    else await deleteLooker(trx, job, person);
    const lookers = await findLookers(trx, job, person);
    if (before.some(({ you }) => you) !== looking) await announceUnlogged(trx, job.account_id, 'comments');
    return lookers;
  });

const isPerson = ({
  userId,
  reviewLinkId,
  guestName,
}: LookingPerson) => sql`(l.user_id is not distinct from ${userId}::uuid
  and l.review_link_id is not distinct from ${reviewLinkId}::uuid and l.guest_name is not distinct from ${guestName})`;

const keepLooker = (trx: Trx, { account_id, id }: JobKey, { userId, reviewLinkId, guestName }: LookingPerson) =>
  sql`
    insert into review_lookers (account_id, job_id, user_id, review_link_id, guest_name, seen_at)
    values (${account_id}, ${id}, ${userId}, ${reviewLinkId}, ${guestName}, now())
    on conflict (account_id, job_id, user_id, review_link_id, guest_name) do update set seen_at = excluded.seen_at`.execute(
    trx,
  );

const deleteLooker = (trx: Trx, { account_id, id }: JobKey, person: LookingPerson) =>
  sql`delete from review_lookers l where account_id = ${account_id} and job_id = ${id} and ${isPerson(person)}`.execute(
    trx,
  );

/** Members who left the account and guests of ended links are gone at once. The caller comes first. */
async function findLookers(trx: Trx, { account_id, id }: JobKey, person: LookingPerson) {
  const { rows } = await sql<Static<typeof Looker>>`
    select case when l.user_id is null then 'guest' else 'customer' end as kind, ${isPerson(person)} as you,
      coalesce(u.name, l.guest_name, '') as name
    from review_lookers l
    left join members m on m.account_id = ${account_id} and m.user_id = l.user_id
    left join people u on u.id = m.user_id
    left join review_links link on link.account_id = ${account_id} and link.id = l.review_link_id
    where l.account_id = ${account_id} and l.job_id = ${id}
      and l.seen_at > now() - make_interval(secs => ${lookingSeconds.last})
      and (u.id is not null or ${isLive})
    order by you desc, kind, name limit ${shownLookers}`.execute(trx);
  return rows;
}

type Row = { account_id: string; job_id: string; id: string };

const isGone = sql`l.seen_at < now() - ${sql.lit(lookingSeconds.last)} * interval '1 second'`;

/** Names of guests do not stay. */
export const forgetLookers = (db: Db, stopped: AbortSignal): Promise<void> =>
  deleteByAccount(
    db,
    sql<Row>`select l.account_id, l.job_id, l.id from review_lookers l where ${isGone} limit 1000`,
    deleteLookersOf,
    stopped,
  );

const deleteLookersOf = (accountId: string, rows: readonly Row[]) => sql`
  with gone as (
    select l.job_id, l.id
    from unnest(${rows.map(({ job_id }) => job_id)}::uuid[], ${rows.map(({ id }) => id)}::uuid[]) as c (job_id, id)
    join review_lookers l on l.account_id = ${accountId} and l.job_id = c.job_id and l.id = c.id
    where ${isGone}
    for update of l skip locked)
  delete from review_lookers l using gone g where l.account_id = ${accountId} and l.job_id = g.job_id and l.id = g.id`;
