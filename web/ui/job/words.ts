import { deskPages } from '../../../contract/pages.ts';
import { maxFileBytes } from '../../../contract/files/file-types.ts';
import type { CustomerAction, JobStatus } from '../../../contract/moves.ts';
import type { ErrorCode, JobEvent, JobListItem } from '../../../client/generated/types.gen.ts';
import { sayBytes } from '../upload/bytes.ts';
import { studio } from '../shell/studio.ts';

/** Exhaustive: a new code, status or event does not compile without words. */
export const statusWords: Record<JobStatus, string> = {
  queued: 'Queued',
  accepted: 'Accepted',
  running: 'In work',
  needs_review: 'In review',
  ready_for_customer_review: 'Ready for you',
  completed: 'Completed',
  rejected: 'Rejected',
  canceled: 'Canceled',
};

export const deskStatusWords: Record<JobStatus, string> = {
  ...statusWords,
  ready_for_customer_review: 'With customer',
};

/** Whether the unit of a canceled or rejected job came back; nothing for other events, and for old ones. */
export const sayUnit = ({ unit_returned: returned }: JobEvent['data']): string | undefined =>
  returned === undefined ? undefined : returned ? 'It is back in the quota.' : 'It stays counted.';

/** In the past tense, because timeline entries stay. Behind the name of whoever of the account did it. */
export const eventWords: Record<JobEvent['type'], string> = {
  'job.created': 'ordered the job',
  'job.accepted': 'The studio accepted it',
  'job.started': 'Work started',
  'job.submitted': 'The studio began to check its work',
  'job.returned': 'The studio went on to improve its work',
  'job.ready_for_customer_review': 'Delivered for your review',
  'job.revision_requested': 'asked for changes',
  'job.approved': 'approved the work',
  'job.auto_approved': 'Approved automatically, because the time for review was over',
  'job.completed': 'Completed',
  'job.canceled': 'canceled the job',
  'job.rejected': 'The studio rejected the job',
  'job.requeued': 'Went back to the queue',
  'job.file_attached': 'attached a file',
  'job.deliverable_added': 'The studio added a file',
  'job.message_added': 'A message was sent',
  'job.question_asked': 'The studio asked a question, and the clock stopped',
  'job.question_answered': 'answered the question, and the clock went on',
  'job.due_date_changed': 'The due date changed',
  'job.updated': 'changed the details',
  'order.confirmed': 'confirmed the order',
};

/** Empty if no round is left. */
export const roundWords = ({ used, included }: { used: number; included: number }) =>
  used < included ? `Changes use round ${used + 1} of ${included} and cost nothing.` : '';

export const actionWords: Record<CustomerAction, string> = {
  approve: 'Approve',
  revision: 'Ask for changes',
  cancel: 'Cancel the job',
  answer: 'Answer the studio',
};

export const roleWords = { owner: 'Owner', admin: 'Admin', member: 'Member', reviewer: 'Reviewer' } as const;

export const accessWords = {
  human: 'For people in the dashboard',
  agent: 'For programs with an API key',
  both: 'For people and programs',
} as const;

export const sourceWords = { api: 'API', dashboard: 'Dashboard', intake: 'Order form or concierge' } as const;

/** "2 facts, 1 file" of a brand kit. */
export const sayKit = ({ facts, files }: Record<'facts' | 'files', unknown[]>): string =>
  [facts.length > 0 && counted(facts.length, 'fact'), files.length > 0 && counted(files.length, 'file')]
    .filter(Boolean)
    .join(', ');

/** A person by name, a program by its key; whoever ordered for the customer with the studio. */
export const creatorWords = ({ created_by: { kind, name } }: Pick<JobListItem, 'created_by'>): string =>
  kind === 'operator'
    ? `${name}, ${studio.name}`
    : kind === 'api_key'
      ? `the key “${name}”`
      : kind === 'app'
        ? `the app “${name}”`
        : name;

/** "You" is only the reader. Of what earlier versions stored, not everything has its person. */
export function whoDid({ created_by }: Pick<JobEvent, 'created_by'>, me: string): string {
  if (!created_by) return 'Somebody of your account';
  if (created_by.id === me) return 'You';
  const words = creatorWords({ created_by });
  return created_by.kind === 'user' || created_by.kind === 'operator' ? words : words.replace('the', 'The');
}

export const scopeWords = { 'api:read': 'read', 'api:write': 'order and change' } as const;

export const conversationWords = {
  open: 'Talking',
  brief_ready: 'Ready to confirm',
  confirmed: 'Ordered',
  closed: 'Ended',
  expired: 'Expired',
} as const;

export const rejectionWords: Record<string, string> = {
  out_of_scope: 'Out of scope',
  unsafe: 'Not allowed',
  unclear: 'Unclear',
  capacity: 'No capacity',
  other: 'Other reason',
};

type Words = { title: string; step: string };

/** The desk sees all accounts. */
const missing = (title: string): Words => ({
  title,
  get step() {
    return location.pathname.startsWith(deskPages.queue)
      ? 'The address may be mistyped, or it was deleted.'
      : 'It may have been deleted, or belong to another account.';
  },
});

type Missing = Extract<ErrorCode, `${string}_not_found`>;

/** "There is no such job", for a code without words of its own. A newer service may send an unknown one. */
export const missingWords = (code: string): Words | null =>
  code.endsWith('_not_found') ? missing(`There is no such ${code.slice(0, -10).replaceAll('_', ' ')}`) : null;

/** The API's `action` names routes; these are steps for people. Null if the API's message is best. */
export const errorWords: Record<Exclude<ErrorCode, Missing> | 'unreachable', Words | null> &
  Partial<Record<Missing, Words | null>> = {
  invalid_request: null,
  unsupported_service: { title: 'This service is not offered', step: 'Choose one from the catalog.' },
  unsupported_file: null,
  unsafe_request: null,
  account_in_use: null,
  last_owner: null,
  checklist_open: null,
  entitlement_inactive: { title: 'This plan gives no access now', step: 'Its quota can be adjusted while it does.' },
  period_ended: { title: 'The period of this plan was renewed', step: 'Look at what it has used, then decide again.' },
  adjustment_too_large: null,
  entitlement_not_found: missing('This plan does not exist'),
  own_work: null,
  catalog_changed: {
    title: 'Somebody published another version',
    step: 'Look at what it changed, then publish again.',
  },
  catalog_in_files: { title: 'The catalog of this studio is kept in files', step: 'Change the files instead.' },
  invalid_catalog: null,
  idempotency_key_conflict: {
    title: 'This was already sent with different content',
    step: 'Check whether it arrived. If not, send it again.',
  },
  idempotency_key_not_accepted: null,
  entitlement_required: {
    title: 'Your account has no plan for this',
    step: 'Owners and admins start one on the Plans page.',
  },
  studio_orders_off: null,
  quota_exceeded: {
    title: 'The jobs of this period are used up',
    step: 'Wait for the next period, or move to a larger plan.',
  },
  concurrency_limit_exceeded: {
    title: 'Your account has as many open jobs as its plans allow',
    step: 'Approve or cancel an open job, or move to a larger plan.',
  },
  confirmation_required: {
    title: 'An owner or admin has to confirm this',
    step: 'Order it: they are told, and nothing is made until one of them confirms it.',
  },
  order_not_found: missing('There is no such order'),
  order_changed: { title: 'The order has changed', step: 'This page now shows it. Look at it before you decide.' },
  rate_limit_exceeded: { title: 'That was too quick', step: 'Wait a moment, then try again.' },
  delivery_changed: { title: 'There is another delivery now', step: 'This page shows it. Review it before deciding.' },
  upload_page_not_found: { title: 'This address has ended', step: 'Ask whoever sent it to you for a new one.' },
  intake_session_not_found: missing('There is no such conversation'),
  intake_session_conflict: { title: 'The conversation has moved on', step: 'Look at its current state, then decide.' },
  job_not_cancelable: { title: 'This job can no longer be canceled', step: 'This page now shows its current state.' },
  revision_unavailable: { title: 'You cannot ask for changes now', step: 'This page now shows its current state.' },
  cursor_expired: { title: 'The page was open for too long', step: 'Reload it to see the current state.' },
  webhook_endpoint_disabled: { title: 'This endpoint is disabled', step: 'Enable it first.' },
  webhook_url_refused: null,
  unauthenticated: { title: 'You are signed out', step: 'Sign in again.' },
  insufficient_scope: null,
  role_required: { title: 'Your role does not allow this', step: 'Ask an owner for it.' },
  credential_not_accepted: null,
  no_active_account: { title: 'You do not belong to an account', step: 'Accept an invitation, or choose an account.' },
  csrf_token_invalid: { title: 'The page was open for too long', step: 'Reload it and try again.' },
  plan_already_active: {
    title: 'Your account already has a plan for this',
    step: 'Change, resume or end it on the Plans page.',
  },
  limit_reached: null,
  second_factor_required: { title: 'A code is needed', step: 'Enter one from your authenticator, or a recovery code.' },
  account_changed: { title: 'You switched to another account', step: 'Switch back to go on here, or reload the page.' },
  account_suspended: {
    title: 'The studio has suspended this account',
    step: 'You can read, export and approve. Write to the studio to have it reopened.',
  },
  view_only: { title: 'You are viewing this account', step: 'A view is read only. Stop it to work as yourself.' },
  email_unverified: {
    title: 'Your e-mail address is not verified',
    step: 'Open the link in the mail that you were sent, or ask for another one.',
  },
  api_key_not_found: missing('There is no such key'),
  review_link_not_found: { title: 'This link does not open anything any more', step: 'Ask who sent it to you.' },
  comments_not_allowed: { title: 'This link does not allow comments', step: 'Ask who sent it to you.' },
  // The message says whether it is no longer kept.
  file_not_found: null,
  file_in_use: { title: 'A job, the brand kit or a template uses this file', step: 'Delete it once none does.' },
  brand_changed: { title: 'Somebody else changed the brand kit', step: 'Look at the change, then make yours again.' },
  operation_not_found: null,
  invitation_not_found: { title: 'This invitation is not open', step: 'Ask an owner or admin to invite you again.' },
  session_not_found: missing('This session has ended'),
  provider_event_not_found: missing('There is no such payment event'),
  not_found: missing('There is nothing here'),
  method_not_allowed: missing('There is nothing here'),
  upload_incomplete: { title: 'The upload was interrupted', step: 'Try it again.' },
  signed_url_invalid: { title: 'This link has expired', step: 'Reload the page.' },
  invalid_transition: { title: 'The job has moved on', step: 'This page now shows its current state.' },
  lease_lost: { title: 'You no longer hold this job', step: 'Somebody else may be working on it.' },
  file_too_large: {
    title: 'The file is too large',
    // A getter, because creating the formatter is slow on phones and the first paint does not need it.
    get step() {
      return `A file can have at most ${sayBytes(maxFileBytes)}.`;
    },
  },
  body_too_large: { title: 'That is too much text', step: 'Shorten it, or attach it as a file.' },
  unsupported_media_type: { title: 'The page is out of date', step: 'Reload it and try again.' },
  invalid_signature: null,
  checkout_unavailable: { title: 'Checkout is not available at the moment', step: 'Try again later.' },
  service_unavailable: { title: 'The service is busy or restarting', step: 'Try again in a moment.' },
  internal_error: {
    title: 'Something went wrong on our side',
    step: 'Try again. If it happens again, report the request id.',
  },
  unreachable: { title: 'The service cannot be reached', step: 'Check your connection, then try again.' },
};

/** "1 job", "1,200 jobs". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;
