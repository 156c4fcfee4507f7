import { sql } from 'kysely';
import { rolesWith } from '../../contract/desk/operator-roles.ts';
import type { Trx } from '../db/pool.ts';
import { newId } from '../lib/id.ts';
import { notify } from './notify.ts';

type Job = {
  account_id: string;
  id: string;
  customer_title: string;
  operator_id: string | null;
  service_family: string;
  other_reviewer: boolean;
  round_operators: string[];
};
type By = { userId: string | null };
type HolderNews = { kind: 'returned' | 'taken_over' | 'canceled' | 'rejected_by_colleague'; state?: string };

/** For people `u`: operators who did not do it themselves and have not muted the job. */
const isTold = ({ account_id, id }: Job, { userId }: By) => sql<boolean>`(u.operator
  and u.id is distinct from ${userId}::uuid
  and not exists (select from job_readers r where r.account_id = ${account_id} and r.job_id = ${id}
    and r.user_id = u.id and r.following = false))`;

const newsOf = (job: Job, { userId }: By) => ({
  cause: newId(),
  accountId: job.account_id,
  jobId: job.id,
  about: job.customer_title,
  ...(userId === null ? {} : { byUser: userId }),
});

/** Tells the operator who holds the job, or held it last, that somebody else did something to it. */
export async function tellHolder(trx: Trx, job: Job, by: By, news: HolderNews): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select u.id from people u where u.id = ${job.operator_id}::uuid and ${isTold(job, by)}`.execute(trx);
  const holders = rows.map(({ id }) => id);
  await notify(trx, holders, { ...newsOf(job, by), ...news });
}

/** Tells those whose role and services let them pass the work; not of their own, where that counts. */
export async function tellReviewers(trx: Trx, job: Job, by: By): Promise<void> {
  const own = job.other_reviewer ? [...job.round_operators, ...(job.operator_id ? [job.operator_id] : [])] : [];
  const { rows } = await sql<{ id: string }>`
    select u.id from people u left join operator_settings o on o.user_id = u.id
    where u.operator_role = any(${rolesWith('review')}::text[]) and ${isTold(job, by)}
      and (o.service_families is null or ${job.service_family} = any(o.service_families))
      and u.id <> all(${own}::uuid[])
    order by u.id`.execute(trx);
  const reviewers = rows.map(({ id }) => id);
  await notify(trx, reviewers, { ...newsOf(job, by), kind: 'in_review' });
}
