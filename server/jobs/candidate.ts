import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { IntentBrief } from '../../contract/job.ts';
import type { Caller } from '../http/caller.ts';
import type { CheckedDraft } from './draft.ts';
import { newId } from '../lib/id.ts';
import { keptFor } from '../db/idempotency.ts';
import { showJobSummary } from './job.ts';

/** A checked draft with all that its job needs; ids are made by the service, times by the database. */
export type Candidate = {
  account_id: string;
  job_id: string;
  event_id: string;
  ledger_id: string;
  /** Who asks: a person or an API key. */
  user_id: string | null;
  api_key_id: string | null;
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

/** A session needs a plan for people, an API key one for agents. */
export const kindOf = (caller: Caller): 'human' | 'agent' => (caller.method === 'session' ? 'human' : 'agent');

const nextAction =
  'Follow the job at links.events until it is ready_for_customer_review, then approve it or request a revision.';

/** What a caller's checked draft needs to become a job; without an Idempotency-Key, unless the verb lays one over it. */
export function candidateOf(
  caller: Caller,
  requestId: string,
  { family, option, title, instructions }: CheckedDraft,
  source: Candidate['source'],
) {
  const job_id = newId();
  return {
    account_id: caller.accountId,
    job_id,
    event_id: newId(),
    ledger_id: newId(),
    user_id: caller.method === 'session' ? caller.userId : null,
    api_key_id: caller.method === 'api_key' ? caller.keyId : null,
    request_id: requestId,
    idempotency_key: null,
    fingerprint: '',
    answer: { job: showJobSummary(job_id, 'queued'), next_action: nextAction },
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

/** The drafts of a batch, those whose key was answered before, and the rest in the order in which they are judged. */
export const batch = (drafts: readonly Candidate[]) => sql`
  draft as materialized (
    select * from json_to_recordset(${JSON.stringify(drafts.map((draft, n) => ({ n, ...draft })))}::json) as d (
      n int, account_id uuid, job_id uuid, event_id uuid, ledger_id uuid, user_id uuid, api_key_id uuid,
      request_id text, idempotency_key text, fingerprint text, answer json, service_family text, service_type text,
      customer_title text, customer_instructions text, source text, quality_review boolean,
      auto_approval_hours int, revisions_included int, turnaround_hours int, intent_brief jsonb)
  ),
  known as (
    select d.n, k.fingerprint = d.fingerprint as same, k.answer
    from draft d join idempotency_keys k
      on k.account_id = d.account_id and k.route = ${createRoute} and k.key = d.idempotency_key
      and k.created_at > now() - ${keptFor}
  ),
  -- Of several drafts with one key the first is tried; the others are asked again and then find its answer.
  fresh as (
    select d.*, d.idempotency_key is not null
        and row_number() over (partition by d.account_id, d.idempotency_key order by d.n) > 1 as copy
    from draft d where d.n not in (select n from known)
  ),
  placed as (
    select f.*, row_number() over (partition by f.account_id order by f.n) as place from fresh f where not f.copy
  )`;
