import type { AnswerOf } from '../../contract/endpoint.ts';
import type { confirmBrief as endpoint } from '../../contract/ordering/intake.ts';
import type { IntentBrief } from '../../contract/jobs/brief.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { kindOf, type Request } from '../http/request.ts';
import { checkDraft, needOf } from '../jobs/draft.ts';
import { refusalFor } from '../jobs/admission.ts';
import { admitInTransaction } from '../jobs/admission-queue.ts';
import { candidateOf } from '../jobs/candidate.ts';
import type { KeepOrder } from '../jobs/confirmation.ts';
import { attachFiles, unattachedFiles } from '../jobs/job-file.ts';
import { earlierAnswer, fingerprint, withIdempotencyKey } from '../db/idempotency.ts';
import { conflict } from './brief.ts';
import { endSession, ownedSession, refuseEnded, type SessionRow, showSession } from './session.ts';
import { type Db, transact } from '../db/pool.ts';
import { type Catalog, type Family, withoutOptional } from '../catalog/catalog.ts';
import type { Refusal } from '../http/refusal.ts';
import { type Draft, familyOf, optionOf, takesBrand, unsettledIn } from './draft.ts';

type Dependencies = { db: Db; catalog: Catalog; graceHours: number; keepOrder: KeepOrder };

/** One transaction with the end of the session, so a brief is confirmed once, by usual admission. */
export async function confirmBrief(
  { db, catalog, graceHours, keepOrder }: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const { accountId } = caller;
  if (caller.ordersWait) return keepBrief({ db, catalog, keepOrder }, request);
  return withIdempotencyKey(db, request, async (trx) => {
    const session = await ownedSession(trx, accountId, params.id, true);
    const brief = briefToConfirm(catalog, session, body.brief_version);
    const checked = checkDraft(catalog, { ...session.draft, ...brief });
    const candidate = {
      ...candidateOf(caller, cause, checked, 'intake'),
      intent_brief: brief,
      brand_kit: takesBrand(session.draft),
    };
    const terms = { graceHours, hours: catalog.businessHours };
    const decision = await admitInTransaction(trx, kindOf(caller), terms, candidate);
    // As in create, invalid input is reported before a missing plan or quota.
    const files = await unattachedFiles(trx, accountId, body.file_ids ?? brief.file_ids);
    if (decision.outcome === 'replayed' || decision.outcome === 'idempotency_key_conflict')
      throw new Error('A brief without a key was treated as a replay.');
    if (decision.outcome !== 'admitted')
      throw await refusalFor(trx, accountId, graceHours, decision.outcome, needOf(checked, kindOf(caller)));
    if (files.length > 0) await attachFiles(trx, { account_id: accountId, id: candidate.job_id }, files, cause);
    const confirmed = await endSession(trx, session, 'confirmed', candidate.job_id);
    await appendAudit(trx, cause, { action: 'intake.confirmed', subject: params.id, accountId });
    return { status: 201, body: { intake_session: await showSession(trx, catalog, confirmed), ...candidate.answer } };
  });
}

/** Its caller may not create jobs: the draft waits. Its files are those that it has then. */
async function keepBrief(
  { db, catalog, keepOrder }: Omit<Dependencies, 'graceHours'>,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause, route, idempotencyKey: key } = request;
  const earlier = await earlierAnswer<AnswerOf<typeof endpoint>>(db, request);
  if (earlier) return earlier;
  throw await transact(db, async (trx) => {
    const session = await ownedSession(trx, caller.accountId, params.id, true);
    const brief = briefToConfirm(catalog, session, body.brief_version);
    const checked = checkDraft(catalog, { ...session.draft, ...brief });
    return keepOrder(trx, {
      caller,
      cause,
      checked,
      source: 'intake',
      request: { route, key, fingerprint: fingerprint(body) },
      fileIds: brief.file_ids,
      from: { sessionId: session.id, brief },
    });
  });
}

function briefToConfirm(catalog: Catalog, session: SessionRow, version: number | undefined): IntentBrief {
  refuseEnded(session);
  const { brief } = session;
  if (!brief || session.status !== 'brief_ready') throw notReady(familyOf(catalog, session.draft), session.draft);
  if (version !== undefined && version !== brief.version)
    throw conflict(
      `The brief has changed: it is version ${brief.version} now, not ${version}.`,
      'Read the brief of the session and confirm its version.',
    );
  return brief;
}

function notReady(family: Family | null, draft: Draft): Refusal {
  if (!family || !optionOf(family, draft))
    return conflict('There is no brief to confirm: no service is chosen.', 'Choose a service of the catalog.');
  const missing = withoutOptional(family, unsettledIn(family, draft));
  return conflict(
    `There is no brief to confirm: these are neither answered nor left open: ${missing.join(', ')}.`,
    'Answer them, or leave them open.',
  );
}
