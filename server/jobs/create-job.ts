import type { IncomingHttpHeaders } from 'node:http';
import type { createJob as endpoint } from '../../contract/jobs/jobs.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { checkDraft, type CheckedDraft, needOf } from './draft.ts';
import { type CallerKind, type Cause, kindOf, type Request } from '../http/request.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { fingerprint } from '../db/idempotency.ts';
import { Refusal } from '../http/refusal.ts';
import { type Decision, refusalFor } from './admission.ts';
import {
  admitInTransaction,
  type EarlierDecision,
  findEarlierDecision,
  type Admit,
  type Terms,
} from './admission-queue.ts';
import { type Candidate, candidateOf, createRoute } from './candidate.ts';
import type { KeepOrder } from './confirmation.ts';
import { type FindJob, ownedJob, showJob } from './job.ts';
import { attachFiles, unattachedFiles } from './job-file.ts';
import type { Catalog } from '../catalog/catalog.ts';

type Answer = AnswerOf<typeof endpoint>;

type Parts = { db: Db; admit: Admit; keepOrder: KeepOrder; catalog: Catalog; findJob: FindJob; graceHours: number };

export async function createJob(parts: Parts, request: Request<typeof endpoint>): Promise<Answer> {
  const answer = await createOrReplay(parts, request);
  if (!prefersRepresentation(request.headers)) return answer;
  const job = showJob(await ownedJob(parts.findJob, request.caller.accountId, answer.body.job.id));
  const headers = { ...answer.headers, 'preference-applied': 'return=representation' };
  return { ...answer, headers, body: { ...answer.body, job } };
}

/** Whether a request prefers the whole resource as its answer (`Prefer: return=representation`, RFC 7240). */
function prefersRepresentation({ prefer = '' }: IncomingHttpHeaders): boolean {
  const preferences = [prefer].flat().join().split(',');
  const [first] = preferences.flatMap(
    (preference) => /^\s*return\s*=\s*"?(\w+)"?\s*(?:;|$)/i.exec(preference)?.[1] ?? [],
  );
  return first?.toLowerCase() === 'representation'; // of repeated preferences the first one counts
}

async function createOrReplay(
  { db, admit, keepOrder, catalog, graceHours }: Parts,
  request: Request<typeof endpoint>,
): Promise<Answer> {
  const { caller, body, cause, idempotencyKey } = request;
  const keyed = { account_id: caller.accountId, idempotency_key: idempotencyKey, fingerprint: fingerprint(body) };
  let draft: CheckedDraft;
  try {
    draft = checkDraft(catalog, body);
  } catch (refusal) {
    // The job may be older than a change of catalog or policy. For other drafts, admission looks up the key.
    const earlier = await findEarlierDecision(db, keyed);
    if (!earlier) throw refusal;
    return replay(earlier);
  }
  const source = caller.method === 'session' ? 'dashboard' : 'api';
  if (caller.ordersWait) {
    const earlier = await findEarlierDecision(db, keyed);
    if (earlier) return replay(earlier);
    const { file_ids: fileIds = [] } = body;
    const sent = { route: createRoute, key: idempotencyKey, fingerprint: keyed.fingerprint };
    const order = { caller, cause, checked: draft, source, request: sent, fileIds, from: { body } } as const;
    throw await transact(db, (trx) => keepOrder(trx, order));
  }
  const candidate = { ...candidateOf(caller, cause, draft, source), ...keyed };
  const kind = kindOf(caller);
  const decision = body.file_ids?.length
    ? await transact(db, (trx) =>
        admitWithFiles(trx, { graceHours, hours: catalog.businessHours }, candidate, kind, body.file_ids ?? [], cause),
      )
    : await admit(kind, candidate);
  if (decision.outcome === 'admitted') return { status: 201, body: candidate.answer };
  if (decision.outcome === 'replayed') return replay(decision);
  if (decision.outcome === 'idempotency_key_conflict') throw new Refusal(decision.outcome);
  throw await refusalFor(db, caller.accountId, graceHours, decision.outcome, needOf(draft, kind));
}

/** All or nothing. A replay attaches nothing again. */
async function admitWithFiles(
  trx: Trx,
  terms: Terms,
  candidate: Candidate,
  kind: CallerKind,
  fileIds: readonly string[],
  cause: Cause,
): Promise<Decision> {
  const decision = await admitInTransaction(trx, kind, terms, candidate);
  if (decision.outcome === 'replayed' || decision.outcome === 'idempotency_key_conflict') return decision;
  // Like all input, files are checked before plan and quota.
  const files = await unattachedFiles(trx, candidate.account_id, fileIds);
  if (decision.outcome === 'admitted')
    await attachFiles(trx, { account_id: candidate.account_id, id: candidate.job_id }, files, cause);
  return decision;
}

function replay(earlier: EarlierDecision): Answer {
  if (earlier.outcome !== 'replayed') throw new Refusal(earlier.outcome);
  return { status: 200, body: earlier.answer as Answer['body'], headers: { 'idempotent-replayed': 'true' } };
}
