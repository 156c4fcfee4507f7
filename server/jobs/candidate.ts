import type { Static } from 'typebox';
import type { IntentBrief } from '../../contract/jobs/brief.ts';
import type { OptionalValues } from '../../contract/jobs/optional-fields.ts';
import type { Caller, Cause } from '../http/request.ts';
import type { CheckedDraft } from './draft.ts';
import { newId } from '../lib/id.ts';
import { showJobSummary } from './job.ts';
import { waitForReview } from './next-action.ts';

/** The service makes ids; the database sets times. */
export type Candidate = OptionalValues & {
  account_id: string;
  job_id: string;
  event_id: string;
  ledger_id: string;
  user_id: string | null;
  api_key_id: string | null;
  address_hash: string | null;
  request_id: string;
  /** An operator ordered it for the account. */
  by_operator: boolean;
  idempotency_key: string | null;
  fingerprint: string;
  answer: unknown;
  service_family: string;
  service_type: string;
  customer_title: string;
  customer_instructions: string;
  source: 'api' | 'dashboard' | 'intake';
  quality_review: boolean;
  other_reviewer: boolean;
  checklist: readonly string[];
  auto_approval_hours: number;
  revisions_included: number;
  revision_hours: number | null;
  turnaround_hours: number;
  /** Null: `turnaround_hours` after the creation. */
  due_at: string | null;
  intent_brief: Static<typeof IntentBrief> | null;
  /** Whether the job gets a copy of the brand kit. */
  brand_kit: boolean;
};

export function candidateOf(
  { accountId }: Pick<Caller, 'accountId'>,
  cause: Cause,
  { family, option, title, instructions, optional }: CheckedDraft,
  source: Candidate['source'],
) {
  const job_id = newId();
  const job = showJobSummary(job_id, 'queued');
  return {
    account_id: accountId,
    job_id,
    event_id: newId(),
    ledger_id: newId(),
    user_id: cause.userId,
    api_key_id: cause.apiKeyId,
    address_hash: cause.addressHash,
    request_id: cause.requestId,
    by_operator: cause.actor === 'operator',
    idempotency_key: null,
    fingerprint: '',
    answer: { job, next_action: waitForReview(job.id) },
    service_family: family.id,
    service_type: option.id,
    customer_title: title,
    customer_instructions: instructions,
    ...optional,
    source,
    quality_review: option.quality_review,
    other_reviewer: option.other_reviewer,
    checklist: option.checklist,
    auto_approval_hours: option.auto_approval_hours,
    revisions_included: option.revision_rounds,
    revision_hours: option.revision_hours,
    turnaround_hours: option.turnaround_hours,
    due_at: null,
    intent_brief: null,
    brand_kit: true,
  } satisfies Candidate;
}

/** The route under which admission stores Idempotency-Keys. */
export const createRoute = 'POST /api/v1/jobs';
