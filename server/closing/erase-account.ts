import { sql } from 'kysely';
import { eraseReasons } from '../audit/erase-reasons.ts';
import { databaseTime, type Trx } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import { erasedColumns } from '../jobs/optional-fields.ts';
import { dropInvitationMails } from '../mail/outbox.ts';
import { forgetImportedAccount } from '../members/imported-person.ts';

/** Overwrites text and ends uploads and checkouts. Jobs, events, periods and usage stay as numbers. */
export async function eraseAccount(trx: Trx, accountId: string): Promise<void> {
  await sql`delete from intake_messages where account_id = ${accountId}`.execute(trx);
  // All orders go with their drafts.
  await sql`delete from intake_sessions where account_id = ${accountId}`.execute(trx);
  await sql`
    update events set data = data - 'words'
    where account_id = ${accountId} and type = 'order.declined'`.execute(trx);
  const invitations = await trx.deleteFrom('invitations').where('account_id', '=', accountId).returning('id').execute();
  await dropInvitationMails(trx, invitations);
  await sql`delete from webhook_endpoints where account_id = ${accountId}`.execute(trx);
  await sql`update api_keys set name = 'Deleted' where account_id = ${accountId}`.execute(trx);
  await sql`update review_links set name = 'Deleted' where account_id = ${accountId}`.execute(trx);
  await sql`delete from notifications where account_id = ${accountId}`.execute(trx);
  await sql`delete from brand_kits where account_id = ${accountId}`.execute(trx);
  await sql`delete from templates where account_id = ${accountId}`.execute(trx);
  await sql`delete from account_notes where account_id = ${accountId}`.execute(trx);
  await forgetImportedAccount(trx, accountId);
  await sql`
    update sessions set viewed_account_id = null, viewed_until = null
    where viewed_account_id = ${accountId}`.execute(trx);
  await sql`update quota_adjustments set reason = 'Deleted' where account_id = ${accountId}`.execute(trx);
  const at = await databaseTime(trx);
  await eraseJobs(trx, accountId, at);
  // Last, because the statements above wait for requests in progress, which store answers.
  await sql`delete from idempotency_keys where account_id = ${accountId}`.execute(trx);
  await sql`
    delete from caller_idempotency_keys
    where account_id = ${accountId}
      or (answer::text like ${`%${showId('acct', accountId)}%`}
        and caller_id in (select user_id from members where account_id = ${accountId}))`.execute(trx);
  await sql`
    update checkouts set replaced_at = now() where account_id = ${accountId} and paid_at is null`.execute(trx);
  await sql`
    update accounts set name = 'Closed account',
      suspension_reason = case when suspension_reason is null then null else 'Deleted' end
    where id = ${accountId}`.execute(trx);
  await endFiles(trx, accountId, at);
  await eraseReasons(trx, accountId);
}

async function eraseJobs(trx: Trx, accountId: string, at: Date): Promise<void> {
  await sql`
    update jobs set customer_title = 'Deleted', customer_instructions = 'Deleted', ${erasedColumns},
      intent_brief = null,
      reason_message = case when reason_message is null then null else 'Deleted' end
    where account_id = ${accountId}`.execute(trx);
  await sql`delete from job_brands where account_id = ${accountId}`.execute(trx);
  await sql`
    update job_revisions set customer_instructions = 'Deleted' where account_id = ${accountId}`.execute(trx);
  await sql`delete from job_comments where account_id = ${accountId} and sent_at is null`.execute(trx);
  await sql`
    update job_comments set text = 'Deleted', done_note = null,
      guest_name = case when guest_name is null then null else 'Deleted' end
    where account_id = ${accountId}`.execute(trx);
  await sql`
    update comment_replies set text = 'Deleted', guest_name = case when guest_name is null then null else 'Deleted' end
    where account_id = ${accountId}`.execute(trx);
  await sql`delete from review_lookers where account_id = ${accountId}`.execute(trx);
  await sql`update job_due_date_changes set reason = 'Deleted' where account_id = ${accountId}`.execute(trx);
  await sql`update job_submissions set message = null where account_id = ${accountId}`.execute(trx);
  await sql`
    update job_messages set text = null, withdrawn_at = coalesce(withdrawn_at, ${at})
    where account_id = ${accountId}`.execute(trx);
  await sql`delete from job_readers where account_id = ${accountId}`.execute(trx);
  await sql`update job_times set words = null where account_id = ${accountId}`.execute(trx);
  await sql`delete from jobs_set_aside where account_id = ${accountId}`.execute(trx);
  await sql`update job_notes set body = 'Deleted' where account_id = ${accountId}`.execute(trx);
  // Waits for the task that stores words, if it has read jobs of the account. Then deletes what it stored.
  // Until the commit a note waits to queue its job, and after it the task reads the erased texts.
  await sql`
    insert into unindexed_jobs (account_id, job_id, queued_at)
    select account_id, id, now() from jobs where account_id = ${accountId}
    on conflict (account_id, job_id) do update set queued_at = excluded.queued_at`.execute(trx);
  await sql`delete from job_words where account_id = ${accountId}`.execute(trx);
}

/** The bytes are deleted after the commit. */
const endFiles = (trx: Trx, accountId: string, at: Date) =>
  sql`
    update files set file_name = 'deleted', brand_position = null, template_id = null, template_position = null,
      status = case status when 'uploaded' then 'deleted' when 'pending_upload' then 'expired' else status end,
      deleted_at = case status when 'uploaded' then ${at}::timestamptz else deleted_at end
    where account_id = ${accountId}`.execute(trx);
