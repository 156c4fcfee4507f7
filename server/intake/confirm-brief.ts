import type { AnswerOf } from '../../contract/endpoint.ts';
import type { confirmBrief as endpoint } from '../../contract/intake.ts';
import type { IntentBrief } from '../../contract/job.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Request } from '../http/request.ts';
import { checkDraft } from '../jobs/draft.ts';
import { kindOf } from '../http/caller.ts';
import { refusalFor } from '../jobs/admission.ts';
import { admitInTransaction } from '../jobs/admission-queue.ts';
import { candidateOf } from '../jobs/candidate.ts';
import { attachFiles, unattachedFiles } from '../jobs/job-file.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import { conflict, hasEnded, ownedSession, type SessionRow, showSession } from './session.ts';
import type { Db } from '../db/pool.ts';
import type { Catalog } from '../catalog/catalog.ts';

/** One transaction with the end of the session, so a brief is confirmed once, by usual admission. */
export async function confirmBrief(
  { db, catalog, graceHours }: { db: Db; catalog: Catalog; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const { accountId } = caller;
  return withIdempotencyKey(db, request, async (trx) => {
    const session = await ownedSession(trx, accountId, params.id, true);
    const brief = briefToConfirm(session, body.brief_version);
    const checked = checkDraft(catalog, brief);
    const candidate = { ...candidateOf(caller, cause, checked, 'intake'), intent_brief: brief };
    const decision = await admitInTransaction(trx, kindOf(caller), graceHours, candidate);
    // As in create, invalid input is reported before a missing plan or quota.
    const files = await unattachedFiles(trx, accountId, body.file_ids ?? brief.file_ids);
    if (decision.outcome === 'replayed' || decision.outcome === 'idempotency_key_conflict')
      throw new Error('A brief without a key was treated as a replay.');
    if (decision.outcome !== 'admitted')
      throw await refusalFor(trx, accountId, graceHours, decision.outcome, kindOf(caller));
    if (files.length > 0) await attachFiles(trx, { account_id: accountId, id: candidate.job_id }, files, cause);
    const confirmed = { status: 'confirmed', job_id: candidate.job_id };
    await trx
      .updateTable('intake_sessions')
      .where('account_id', '=', accountId)
      .where('id', '=', session.id)
      .set(confirmed)
      .execute();
    await appendAudit(trx, cause, { action: 'intake.confirmed', subject: params.id, accountId });
    const shown = await showSession(trx, catalog, { ...session, ...confirmed });
    return { status: 201, body: { intake_session: shown, ...candidate.answer } };
  });
}

function briefToConfirm(session: SessionRow, version: number | undefined): IntentBrief {
  const ended = hasEnded(session);
  if (ended) throw ended;
  const { brief } = session;
  if (!brief || session.status !== 'brief_ready')
    throw conflict('There is no brief to confirm yet.', 'Answer the concierge’s last question.');
  if (version !== undefined && version !== brief.version)
    throw conflict(
      `The brief has changed: it is version ${brief.version} now, not ${version}.`,
      'Read the brief of the session and confirm its version.',
    );
  return brief;
}
