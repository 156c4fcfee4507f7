import type { Static } from 'typebox';
import { sql } from 'kysely';
import type { createQuotaAdjustment as endpoint } from '../../../contract/desk/quota-adjustments.ts';
import { withIdempotencyKey } from '../../db/idempotency.ts';
import { type Db, isClosed, lockCounters, type Trx } from '../../db/pool.ts';
import { usable } from '../../entitlements/entitlement.ts';
import { appendEvents } from '../../events/append-events.ts';
import { badBody, Refusal } from '../../http/refusal.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { newId, readId, showId } from '../../lib/id.ts';
import { adjustmentsOf, chargeable, givableBack, showAdjustment } from '../../usage/quota-adjustment.ts';
import { deskAccountUuid, unknownAccount } from './desk-account.ts';
import { refuseRemovedOperator } from '../operators/operator.ts';

type Adjustment = Static<(typeof endpoint)['body']>;

/** Whatever changes quota locks the account's counters first: what is read here holds until the commit. */
export async function createQuotaAdjustment(
  { db, graceHours }: { db: Db; graceHours: number },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  const accountId = deskAccountUuid(params.id);
  if (body.quantity === 0) throw badBody([{ location: '/quantity', message: 'must not be 0' }]);
  return withIdempotencyKey(db, request, async (trx) => {
    await refuseRemovedOperator(trx, caller);
    if ((await lockCounters(trx, accountId)).length === 0) throw unknownAccount();
    const plan = await findPlan(trx, accountId, body.entitlement_id, graceHours);
    await refuseUnlessCurrent(trx, accountId, plan, body);
    refuseBeyondBounds(plan, body.quantity);
    const id = await writeAdjustment(trx, accountId, plan, body, caller.userId);
    await appendEvents(trx, accountId, cause, [
      {
        type: 'quota.adjusted',
        data: { plan_code: plan.code, quota_adjustment_id: showId('adj', id), quantity: body.quantity },
      },
    ]);
    return { status: 201, body: { quota_adjustment: await newestOf(trx, accountId) }, accountId };
  });
}

type PlanRow = {
  id: string;
  code: string;
  unit: string;
  period_start: Date;
  period_end: Date;
  usable: boolean;
  give_back: number;
  charge: number;
};

async function findPlan(trx: Trx, accountId: string, id: string, graceHours: number): Promise<PlanRow> {
  const { rows } = await sql<PlanRow>`
    select e.id, e.code, e.unit, p.period_start, p.period_end, ${usable(graceHours)} as usable,
      ${givableBack(accountId)} as give_back, ${chargeable} as charge
    from entitlements e join entitlement_periods p on p.account_id = ${accountId} and p.entitlement_id = e.id
    where e.account_id = ${accountId} and e.id = ${readId('ent', id)}`.execute(trx);
  if (!rows[0]) throw new Refusal('entitlement_not_found');
  return rows[0];
}

async function refuseUnlessCurrent(trx: Trx, accountId: string, plan: PlanRow, body: Adjustment): Promise<void> {
  if (!plan.usable || (await isClosed(trx, accountId))) throw new Refusal('entitlement_inactive');
  if (Date.parse(body.period_start) === plan.period_start.getTime()) return;
  throw new Refusal('period_ended', {
    message: `The current period of this plan began at ${plan.period_start.toISOString()}.`,
  });
}

function refuseBeyondBounds({ give_back, charge }: PlanRow, quantity: number): void {
  const maximum = quantity < 0 ? give_back : charge;
  if (Math.abs(quantity) <= maximum) return;
  const verb = quantity < 0 ? 'given back' : 'charged';
  const message = `At most ${maximum} can be ${verb} now.`;
  throw new Refusal('adjustment_too_large', { message, details: [{ location: '/quantity', message, maximum }] });
}

async function writeAdjustment(
  trx: Trx,
  accountId: string,
  plan: PlanRow,
  { quantity, reason }: Adjustment,
  operatorId: string,
): Promise<string> {
  const id = newId();
  await sql`
    with row as (
      insert into quota_adjustments (account_id, id, entitlement_id, plan_code, period_start, period_end, quantity,
        unit, reason, created_by)
      values (${accountId}, ${id}, ${plan.id}, ${plan.code}, ${plan.period_start}, ${plan.period_end}, ${quantity},
        ${plan.unit}, ${reason}, ${operatorId})
    )
    update entitlement_periods set used = used + ${quantity}
    where account_id = ${accountId} and entitlement_id = ${plan.id}`.execute(trx);
  return id;
}

/** The account is locked, so that the newest is the one just written. */
async function newestOf(trx: Trx, accountId: string) {
  const { rows } = await adjustmentsOf(accountId, 1).execute(trx);
  if (!rows[0]) throw new Error('An adjustment vanished in its transaction.');
  return showAdjustment(rows[0]);
}
