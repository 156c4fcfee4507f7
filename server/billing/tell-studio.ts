import { type RawBuilder, sql } from 'kysely';
import { rolesWith } from '../../contract/desk/operator-roles.ts';
import { settledReasons } from '../../contract/desk/provider-events.ts';
import { inUnits } from '../../contract/plans/smallest-unit.ts';
import type { Trx } from '../db/pool.ts';
import { usable } from '../entitlements/entitlement.ts';
import { type News, notify } from '../notifications/notify.ts';
import { objectOf, type Payload } from './payload.ts';
import type { SubscriptionRow } from './subscription-row.ts';
import type { Judgement } from './verify-terms.ts';

/** Notifies owners once of each event that needs a look, each refund and each dispute. */
export async function tellOfEvent(trx: Trx, payload: Payload, { accountId, reason }: Judgement): Promise<void> {
  const news =
    reason === null ? paidBack(payload) : settledReasons.includes(reason) ? null : { state: 'refused', what: reason };
  if (news === null) return;
  const name = accountId === null ? null : await nameOf(trx, accountId);
  const about = `${name ?? 'an unknown customer'}, ${news.what}`;
  await tellReaders(trx, { kind: 'payment_needs_look', cause: payload.id, accountId, state: news.state, about });
}

function paidBack(payload: Payload): { state: 'refunded' | 'disputed'; what: string } | null {
  const [charge, dispute] = [objectOf(payload, 'charge'), objectOf(payload, 'dispute')];
  if (charge) return { state: 'refunded', what: sayAmount(charge.amount_refunded, charge.currency) };
  return dispute && { state: 'disputed', what: sayAmount(dispute.amount, dispute.currency) };
}

function sayAmount(amount: number | null | undefined, code: string | null | undefined): string {
  if (typeof amount !== 'number' || !/^[a-z]{3}$/i.test(code ?? '')) return 'of an unknown amount';
  const currency = (code ?? '').toUpperCase();
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  return format.format(inUnits(amount, format)).replace('\u00a0', ' ');
}

type Change = { before: SubscriptionRow | null; after: SubscriptionRow; cause: string };

/** Notifies owners that a plan became overdue, stopped, or ended without another one, while jobs are open. */
export async function tellOfStanding(trx: Trx, { before, after, cause }: Change): Promise<void> {
  const state = stateOf(after);
  if (state === null || (before && state === stateOf(before))) return;
  const { rows } = await sql<{ name: string; active_jobs: number }>`
    select a.name, c.active_jobs from accounts a join account_counters c on c.account_id = a.id
    where a.id = ${after.account_id} and c.active_jobs > 0
      and (${state} <> 'ended' or not ${hasAnotherPlan(after)})`.execute(trx);
  const [account] = rows;
  if (!account) return;
  const jobs = account.active_jobs === 1 ? '1 open job' : `${account.active_jobs} open jobs`;
  await tellReaders(trx, {
    kind: 'customer_plan',
    cause,
    accountId: after.account_id,
    state,
    about: `${account.name}, ${after.name}, ${jobs}`,
  });
}

/** A plan that never gave access has not ended. */
function stateOf(plan: SubscriptionRow): 'overdue' | 'not_paid' | 'stopped' | 'ended' | null {
  if (plan.status === 'past_due') return plan.status_detail === 'not_paid' ? 'not_paid' : 'overdue';
  if (plan.status === 'stopped') return 'stopped';
  return plan.status === 'canceled' && plan.period_start ? 'ended' : null;
}

const hasAnotherPlan = ({ account_id, id }: SubscriptionRow): RawBuilder<boolean> => sql<boolean>`exists (
  select from entitlements e join entitlement_periods p on p.account_id = ${account_id} and p.entitlement_id = e.id
  where e.account_id = ${account_id} and e.id <> ${id} and ${usable(0)})`;

const readers = rolesWith('manage_records');

/** While an unread line of the same kind and state is younger than an hour, the next one is not mailed. */
async function tellReaders(trx: Trx, news: News & { state: string }): Promise<void> {
  const { rows } = await sql<{ id: string; is_mailed: boolean }>`
    select u.id, exists (select from notifications n where n.user_id = u.id and n.side = 'office'
      and n.read_at is null and n.kind = ${news.kind} and n.state = ${news.state}
      and n.created_at > now() - interval '1 hour') as is_mailed
    from people u where u.operator_role = any(${readers}::text[]) order by u.id`.execute(trx);
  const idsOf = (isMailed: boolean) => rows.filter((row) => row.is_mailed === isMailed).map(({ id }) => id);
  await notify(trx, idsOf(false), news);
  await notify(trx, idsOf(true), news, null);
}

async function nameOf(trx: Trx, accountId: string): Promise<string | null> {
  const row = await trx.selectFrom('accounts').select('name').where('id', '=', accountId).executeTakeFirst();
  return row?.name ?? null;
}
