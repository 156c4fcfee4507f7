import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import { newId } from '../lib/id.ts';

/** At most once, for the charged period even if it is over. Locks the account's counters first. */
export async function reverseCharge(trx: Trx, job: { account_id: string; id: string }): Promise<void> {
  await sql`
    with reversal as (
      insert into usage_ledger (id, account_id, entitlement_id, plan_code, period_start, job_id, api_key_id,
        service_family, unit, quantity)
      select ${newId()}, account_id, entitlement_id, plan_code, period_start, job_id, api_key_id,
        service_family, unit, -1
      from usage_ledger where account_id = ${job.account_id} and job_id = ${job.id} and quantity = 1
      on conflict (account_id, job_id, quantity) do nothing
      returning *
    ),
    total as (
      insert into usage_totals (account_id, day, entitlement_id, period_start, service_family, api_key_id, quantity)
      select account_id, (now()::timestamptz(3) at time zone 'UTC')::date, entitlement_id, period_start, service_family,
        coalesce(api_key_id, '00000000-0000-0000-0000-000000000000'), -1
      from reversal
      on conflict (account_id, day, entitlement_id, period_start, service_family, api_key_id)
        do update set quantity = usage_totals.quantity + excluded.quantity
    )
    update entitlement_periods p set used = p.used - 1
    from reversal r
    where p.account_id = ${job.account_id} and p.entitlement_id = r.entitlement_id and p.period_start = r.period_start`.execute(
    trx,
  );
}
