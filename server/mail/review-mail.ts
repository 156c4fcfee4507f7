import { sql } from 'kysely';
import { customerPages } from '../../contract/pages.ts';
import { showId } from '../lib/id.ts';
import { sayMoment } from '../lib/moment.ts';
import { type MailKind, patience, subjectAbout, withoutLinks } from './letter.ts';

/** `round`: the delivery that the mail announces, as the job's `revisions_used`. */
type Reader = { userId: string; data: { account_id: string; job_id: string; round: number } };
type Ready = { email: string; customer_title: string; revisions_included: number; review_due_at: Date };

/** Dropped if the job has moved on or the person has left the account. */
export const jobReady: MailKind<Reader> = {
  hours: patience,
  counted: false,
  async compose(db, { userId, data: { account_id, job_id, round } }) {
    const { rows } = await sql<Ready>`
      select u.email, j.customer_title, j.revisions_included, j.review_due_at
      from jobs j
      join members m on m.account_id = j.account_id and m.user_id = ${userId}
      join people u on u.id = m.user_id
      where j.account_id = ${account_id} and j.id = ${job_id}
        and j.status = 'ready_for_customer_review' and j.revisions_used = ${round}`.execute(db);
    const [job] = rows;
    if (!job) return null;
    const choices = `approve it${sayRounds(job.revisions_included - round)}`;
    return {
      to: job.email,
      subject: subjectAbout(round > 0 ? 'Delivered again' : 'Ready for your review', job.customer_title),
      body: [
        `The studio has delivered "${withoutLinks(job.customer_title)}". Look at it and ${choices}.`,
        { path: customerPages.job.replace(':id', showId('job', job_id)), button: 'Look at the work' },
        `If you do nothing, it is approved automatically on ${sayMoment(job.review_due_at)}.`,
      ],
      of: 'delivered',
    };
  },
};

function sayRounds(left: number): string {
  if (left <= 0) return '';
  return `, or ask for changes: ${left === 1 ? '1 round is' : `${left} rounds are`} left`;
}
