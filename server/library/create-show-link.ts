import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { type createShowLink as endpoint, maxLiveShowLinks, maxShownJobs } from '../../contract/review/show-links.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { type Db, lockAccount, type Trx } from '../db/pool.ts';
import type { Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { insertLink } from '../keys/insert-link.ts';
import { lockCaller } from '../keys/lock-caller.ts';
import { isLive, showLinksOf, showShowLink, showTokenLead } from '../keys/review-link.ts';
import { chooseJobs } from './finished-jobs.ts';

export async function createShowLink(
  { db, publicUrl }: { db: Db; publicUrl: string },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  const { accountId } = caller;
  const { name, expires_in_days, ...choice } = body;
  return withIdempotencyKey(db, request, async (trx) => {
    await lockCaller(trx, caller);
    // The account is locked later, because a search for a text may take a while.
    const shown_jobs = await chooseJobs(trx, accountId, choice, { most: maxShownJobs, what: 'one link' });
    const [job_id] = shown_jobs;
    if (job_id === undefined)
      throw new Refusal('job_not_found', { message: 'These filters leave no approved job.', action: 'Change them.' });
    await lockAccount(trx, accountId);
    await refuseBeyondLimit(trx, accountId);
    const days = expires_in_days === undefined ? {} : { expires_in_days };
    const link = { account_id: accountId, job_id, shown_jobs, name, can_comment: false, ...days };
    const { id, token } = await insertLink(trx, caller, link, showTokenLead);
    const row = await showLinksOf(trx, accountId).where('link.id', '=', id).executeTakeFirstOrThrow();
    const show_link = showShowLink(row);
    const details = { job_id: show_link.job_ids[0] ?? '', jobs: shown_jobs.length };
    await appendAudit(trx, cause, { action: 'review_link.created', subject: show_link.id, accountId, details });
    return {
      status: 201,
      body: {
        show_link,
        token,
        url: `${publicUrl}/review#${token}`,
        next_action: 'Send url to the people who should see the work; it is not shown again.',
      },
      repeat: {
        token: null,
        url: null,
        next_action: `The link was shown once. If it is lost, revoke it with POST /api/v1/show-links/${show_link.id}/revoke and create another one.`,
      },
    };
  });
}

/** The counters of the account are locked, so links made at the same time are counted. */
async function refuseBeyondLimit(trx: Trx, accountId: string): Promise<void> {
  const { live } = await trx
    .selectFrom('review_links as link')
    .select(sql<number>`count(*)::int`.as('live'))
    .where('link.account_id', '=', accountId)
    .where('link.shown_jobs', 'is not', null)
    .where(isLive)
    .executeTakeFirstOrThrow();
  if (live < maxLiveShowLinks) return;
  throw new Refusal('limit_reached', {
    message: `The account has ${live} live links to finished work; it may have ${maxLiveShowLinks}.`,
    action: 'Revoke one that is no longer used, or wait until one expires.',
  });
}
