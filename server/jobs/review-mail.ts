import { sql } from 'kysely';
import { customerPages } from '../../contract/pages.ts';
import type { Trx } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import type { Email } from '../lib/mail.ts';
import type { JobRow } from './job.ts';

type Released = Pick<JobRow, 'account_id' | 'id' | 'created_by_user'>;

/** Whoever ordered the job is told that it is ready; where a key did, or that person has left, the owners are. */
export const queueReviewMails = (trx: Trx, { account_id, id, created_by_user }: Released) =>
  sql`
    insert into review_mails (account_id, job_id, user_id)
    select m.account_id, ${id}::uuid, m.user_id from auth.member m
    where m.account_id = ${account_id} and (m.user_id = ${created_by_user}::uuid or (m.role = 'owner' and not exists (
      select from auth.member c where c.account_id = m.account_id and c.user_id = ${created_by_user}::uuid)))
    on conflict (account_id, job_id, user_id) do update set attempts = 0, due_at = now()`.execute(trx);

export type Ready = {
  job_id: string;
  customer_title: string;
  revisions_used: number;
  revisions_included: number;
  review_due_at: Date;
};

export const reviewEmail = (publicUrl: string, to: string, job: Ready): Email => ({
  to,
  subject: 'Work is ready for your review',
  text: `The studio has delivered "${withoutLinks(job.customer_title)}". Look at it and approve it${sayRounds(job)}.

${publicUrl}${customerPages.job.replace(':id', showId('job', job.job_id))}

If you do nothing, it counts as approved on ${moment.format(job.review_due_at)} UTC.
`,
});

/** A mail links to this service alone; programs for mail make links of addresses. */
const withoutLinks = (title: string): string =>
  title.replace(/\S+/gu, (word) => (/:\/\/|www\./iu.test(word) ? '…' : word));

const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

function sayRounds({ revisions_used: used, revisions_included: included }: Ready): string {
  const left = included - used;
  if (left <= 0) return '';
  return `, or ask for changes: ${left === 1 ? '1 round is' : `${left} rounds are`} left`;
}
