import type { createJob as line, Draft } from '../../contract/jobs.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Caller } from '../accounts/caller.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { checkDraft } from '../catalog/draft.ts';
import type { Ask } from '../accounts/ask.ts';
import type { Db } from '../kit/db.ts';
import { newId } from '../kit/id.ts';
import { fingerprint } from '../kit/once.ts';
import { Refusal } from '../kit/refusal.ts';
import type { AccessKind, Admit } from './admission.ts';
import { admitWithFiles } from './admit-with-files.ts';
import type { Candidate } from './candidate.ts';
import { showJobSummary } from './job.ts';

/** A session needs a plan for people, an API key one for agents. */
export const kindOf = (caller: Caller): AccessKind => (caller.method === 'session' ? 'human' : 'agent');

const nextAction =
  'Follow the job at links.events until it is ready_for_customer_review, then approve it or request a revision.';

/** Takes a draft as a job, or says why not: catalog and safety first, then plan, quota and concurrency (specification part 4). */
export async function createJob(
  db: Db,
  admit: Admit,
  catalog: Catalog,
  graceHours: number,
  ask: Ask<typeof line>,
): Promise<AnswerOf<typeof line>> {
  const candidate = prepare(catalog, ask.caller, ask.body, ask.requestId, ask.idempotencyKey);
  const kind = kindOf(ask.caller);
  const { file_ids } = ask.body;
  const verdict = await (file_ids?.length
    ? admitWithFiles(db, kind, graceHours, candidate, file_ids)
    : admit(kind, candidate));
  if (verdict.verdict === 'admitted') return { status: 201, body: candidate.answer };
  if (verdict.verdict === 'replayed')
    return { status: 200, body: verdict.answer as typeof candidate.answer, headers: { 'idempotent-replayed': 'true' } };
  throw new Refusal(verdict.verdict);
}

function prepare(catalog: Catalog, caller: Caller, body: Draft, requestId: string, idempotencyKey: string | null) {
  const { option, title, instructions } = checkDraft(catalog, body);
  const job_id = newId();
  return {
    account_id: caller.accountId,
    job_id,
    event_id: newId(),
    ledger_id: newId(),
    api_key_id: caller.method === 'api_key' ? caller.keyId : null,
    request_id: requestId,
    idempotency_key: idempotencyKey,
    fingerprint: fingerprint(body),
    answer: { job: showJobSummary(job_id, 'queued'), next_action: nextAction },
    service_family: body.service_family,
    service_type: body.service_type,
    customer_title: title,
    customer_instructions: instructions,
    source: caller.method === 'session' ? 'dashboard' : 'api',
    quality_review: option.quality_review,
    auto_approval_hours: option.auto_approval_hours,
    revisions_included: option.revision_rounds,
    turnaround_hours: option.turnaround_hours,
  } satisfies Candidate;
}
