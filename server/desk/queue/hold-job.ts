import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { holdJob as endpoint } from '../../../contract/desk/desk.ts';
import { canHold } from '../../../contract/moves.ts';
import { holdersOf, may } from '../../../contract/desk/operator-roles.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import type { Operator, Request } from '../../http/request.ts';
import { heldBy } from '../../jobs/hold.ts';
import type { JobRow } from '../../jobs/job.ts';
import { setLease } from '../../jobs/move.ts';
import { announce, type Db } from '../../db/pool.ts';
import { showId } from '../../lib/id.ts';
import { tellHolder } from '../../notifications/tell-operators.ts';
import { Refusal } from '../../http/refusal.ts';
import { insertNote } from './add-note.ts';
import { lockDeskJob, moveOnce } from './desk-move.ts';
import { lockNamedOperator } from '../operators/operator.ts';
import { refuseOtherHolder } from './lease.ts';

/** Takes over or hands over a job in progress. Status and customer view do not change. */
export async function holdJob(
  context: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  return moveOnce(context, request, async (trx) => {
    const holder = await lockNamedOperator(trx, caller, body.operator_id ?? showId('user', caller.userId));
    refuseUnlessSelf(caller, holder);
    const job = await lockDeskJob(trx, params.id);
    if (!canHold(job.status))
      throw new Refusal('invalid_transition', { message: `A ${job.status} job cannot be held.` });
    refuseOtherHolder(caller, job, 'hold');
    if (body.note !== undefined) await insertNote(trx, job, caller, body.note);
    await setLease(trx, job, { ...heldBy(holder), lease_expires_at: null });
    announce(trx, job.account_id);
    const details = { holder: showId('user', holder), before: job.held_since ? idOfHolder(job) : null };
    if (job.held_since && job.operator_id !== holder)
      await tellHolder(trx, job, cause, { kind: 'taken_over', state: holder === caller.userId ? 'held' : 'handed' });
    await appendAudit(trx, cause, { action: 'job.held', subject: params.id, accountId: job.account_id, details });
    return job;
  });
}

/** To hold a job for a colleague is to hand it over. */
function refuseUnlessSelf({ userId, operatorRole }: Operator, holder: string): void {
  if (holder !== userId && !may(operatorRole, 'direct'))
    throw new Refusal('role_required', { message: `To hand over a job needs ${holdersOf('direct')} of the studio.` });
}

const idOfHolder = ({ operator_id, worker_key_id }: JobRow): string | null =>
  operator_id ? showId('user', operator_id) : worker_key_id && showId('wkey', worker_key_id);
