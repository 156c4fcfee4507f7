import type { createExamination as endpoint } from '../../contract/desk/health.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db } from '../db/pool.ts';
import { refuseRemovedOperator } from '../desk/operators/operator.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { requestExamination } from './examination.ts';

/** A scheduled task examines, because that takes longer than a request may. */
export async function createExamination(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, cause } = request;
  return withIdempotencyKey(db, request, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    const requestedAt = await requestExamination(trx);
    await appendAudit(trx, cause, { action: 'examination.requested', subject: 'installation', accountId: null });
    return { status: 201, body: { examination: { requested_at: requestedAt.toISOString() } }, accountId: null };
  });
}
