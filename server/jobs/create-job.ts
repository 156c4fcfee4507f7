import type { createJob as line } from '../../contract/jobs.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { checkDraft } from '../catalog/draft.ts';
import type { Ask } from '../accounts/ask.ts';
import type { Db } from '../kit/db.ts';
import { fingerprint } from '../kit/once.ts';
import { Refusal } from '../kit/refusal.ts';
import type { Admit } from './admission.ts';
import { admitWithFiles } from './admit-with-files.ts';
import { candidateOf, kindOf } from './candidate.ts';

/** Takes a draft as a job, or says why not: catalog and safety first, then plan, quota and concurrency (specification part 4). */
export async function createJob(
  db: Db,
  admit: Admit,
  catalog: Catalog,
  graceHours: number,
  ask: Ask<typeof line>,
): Promise<AnswerOf<typeof line>> {
  const { caller, body, requestId, idempotencyKey } = ask;
  const source = caller.method === 'session' ? 'dashboard' : 'api';
  const candidate = {
    ...candidateOf(caller, requestId, checkDraft(catalog, body), source),
    idempotency_key: idempotencyKey,
    fingerprint: fingerprint(body),
  };
  const kind = kindOf(caller);
  const { file_ids } = body;
  const verdict = await (file_ids?.length
    ? admitWithFiles(db, kind, graceHours, candidate, file_ids)
    : admit(kind, candidate));
  if (verdict.verdict === 'admitted') return { status: 201, body: candidate.answer };
  if (verdict.verdict === 'replayed')
    return { status: 200, body: verdict.answer as typeof candidate.answer, headers: { 'idempotent-replayed': 'true' } };
  throw new Refusal(verdict.verdict);
}
