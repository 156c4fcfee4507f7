import type { Static } from 'typebox';
import type { IntentBrief } from '../../contract/job.ts';
import type { Cause } from '../http/cause.ts';
import type { Caller } from '../http/caller.ts';
import type { CheckedDraft } from './draft.ts';
import { newId } from '../lib/id.ts';
import { showJobSummary } from './job.ts';
import { waitForReview } from './next-action.ts';

/** A checked draft with all that its job needs; ids are made by the service, times by the database. */
export type Candidate = {
  account_id: string;
  job_id: string;
  event_id: string;
  ledger_id: string;
  /** Who asks: a person or an API key. */
  user_id: string | null;
  api_key_id: string | null;
  address_hash: string | null;
  request_id: string;
  idempotency_key: string | null;
  fingerprint: string;
  /** What the caller will be answered, and again on a replay. */
  answer: unknown;
  service_family: string;
  service_type: string;
  customer_title: string;
  customer_instructions: string;
  source: 'api' | 'dashboard' | 'intake';
  quality_review: boolean;
  auto_approval_hours: number;
  revisions_included: number;
  turnaround_hours: number;
  /** The brief of the conversation that it comes from. */
  intent_brief: Static<typeof IntentBrief> | null;
};

/** What a caller's checked draft needs to become a job; without an Idempotency-Key, unless the verb lays one over it. */
export function candidateOf(
  caller: Caller,
  cause: Cause,
  { family, option, title, instructions }: CheckedDraft,
  source: Candidate['source'],
) {
  const job_id = newId();
  const job = showJobSummary(job_id, 'queued');
  return {
    account_id: caller.accountId,
    job_id,
    event_id: newId(),
    ledger_id: newId(),
    user_id: cause.userId,
    api_key_id: cause.apiKeyId,
    address_hash: cause.addressHash,
    request_id: cause.requestId,
    idempotency_key: null,
    fingerprint: '',
    answer: { job, next_action: waitForReview(job.id) },
    service_family: family.id,
    service_type: option.id,
    customer_title: title,
    customer_instructions: instructions,
    source,
    quality_review: option.quality_review,
    auto_approval_hours: option.auto_approval_hours,
    revisions_included: option.revision_rounds,
    turnaround_hours: option.turnaround_hours,
    intent_brief: null,
  } satisfies Candidate;
}

/** Where admission keeps its Idempotency-Keys. */
export const createRoute = 'POST /api/v1/jobs';
