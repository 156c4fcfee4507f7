import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { type Ready, reviewEmail } from './review-mail.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Mail } from '../lib/mail.ts';

type Row = { account_id: string; job_id: string; user_id: string; attempts: number };
/** Nothing beside its row: the person has left, or the job waits for no review any more. */
type Claimed = Row & ((Ready & { email: string }) | { email: null });

/** Mails claimed at a time, and attempts after which one is given up: about a day. */
const [pageSize, mostAttempts] = [50, 10];

/**
 * Tells people that work is ready for their review. An attempt is counted and its successor set before it is made, so a
 * killed process loses no mail, and a mail server that is away is asked again later and later.
 */
export async function sendReviewMails(
  { db, log, mail, publicUrl }: { db: Db; log: FastifyBaseLogger; mail: Mail; publicUrl: string },
  stopped: AbortSignal,
): Promise<void> {
  for (;;) {
    const claimed = await claimMails(db);
    for (const row of claimed) {
      if (stopped.aborted) return;
      try {
        if (row.email !== null) await mail.send(reviewEmail(publicUrl, row.email, row));
      } catch (error) {
        const given_up = row.attempts >= mostAttempts;
        log.warn({ err: error, job: row.job_id, given_up }, 'somebody was not told of work that is ready');
        if (!given_up) continue;
      }
      await forgetMail(db, row);
    }
    if (claimed.length < pageSize) return;
  }
}

async function claimMails(db: Db): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with due as (
      select account_id, job_id, user_id from review_mails where due_at <= now()
      order by due_at limit ${pageSize} for update skip locked
    ),
    claimed as (
      update review_mails r
      set attempts = r.attempts + 1, due_at = now() + make_interval(mins => power(2, r.attempts)::int)
      from due d where r.account_id = d.account_id and r.job_id = d.job_id and r.user_id = d.user_id
      returning r.account_id, r.job_id, r.user_id, r.attempts
    )
    select c.*, ready.* from claimed c
    left join lateral (
      select u.email, j.customer_title, j.revisions_used, j.revisions_included, j.review_due_at
      from jobs j
      join auth.member m on m.account_id = j.account_id and m.user_id = c.user_id
      join auth.user u on u.id = m.user_id
      where j.account_id = c.account_id and j.id = c.job_id and j.status = 'ready_for_customer_review'
    ) ready on true`.execute(db);
  return rows;
}

/** Unless the job was handed over again meanwhile, of which another mail tells. */
const forgetMail = (db: Db, { account_id, job_id, user_id, attempts }: Row) =>
  sql`
    delete from review_mails where account_id = ${account_id} and job_id = ${job_id} and user_id = ${user_id}
      and attempts = ${attempts}`.execute(db);
