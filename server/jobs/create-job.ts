import type { createJob as endpoint } from '../../contract/jobs.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { checkDraft, type CheckedDraft } from './draft.ts';
import type { Request } from '../http/request.ts';
import type { Db } from '../db/pool.ts';
import { fingerprint } from '../db/idempotency.ts';
import { Refusal } from '../http/refusal.ts';
import { type Admit, type Kept, replayOf } from './admission.ts';
import { admitWithFiles } from './admit-with-files.ts';
import { candidateOf, kindOf } from './candidate.ts';

type Answer = AnswerOf<typeof endpoint>;

/** Takes a draft as a job, or says why not: catalog and safety first, then plan, quota and concurrency. */
export async function createJob(
  db: Db,
  admit: Admit,
  catalog: Catalog,
  graceHours: number,
  request: Request<typeof endpoint>,
): Promise<Answer> {
  const { caller, body, requestId, idempotencyKey } = request;
  const attempt = { account_id: caller.accountId, idempotency_key: idempotencyKey, fingerprint: fingerprint(body) };
  let draft: CheckedDraft;
  try {
    draft = checkDraft(catalog, body);
  } catch (refusal) {
    // The job may be there from before the studio changed catalog or policy. Admission asks this for every other draft.
    const kept = await replayOf(db, attempt);
    if (!kept) throw refusal;
    return replay(kept);
  }
  const source = caller.method === 'session' ? 'dashboard' : 'api';
  const candidate = { ...candidateOf(caller, requestId, draft, source), ...attempt };
  const kind = kindOf(caller);
  const { file_ids } = body;
  const verdict = await (file_ids?.length
    ? admitWithFiles(db, kind, graceHours, candidate, file_ids)
    : admit(kind, candidate));
  if (verdict.verdict === 'admitted') return { status: 201, body: candidate.answer };
  if (verdict.verdict === 'replayed') return replay(verdict);
  throw new Refusal(verdict.verdict);
}

function replay(kept: Kept): Answer {
  if (kept.verdict !== 'replayed') throw new Refusal(kept.verdict);
  return { status: 200, body: kept.answer as Answer['body'], headers: { 'idempotent-replayed': 'true' } };
}
