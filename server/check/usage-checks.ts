import { sql } from 'kysely';
import type { Check } from './contradiction.ts';

const chargedOnce: Check = {
  rule: 'Each job is charged once, under its own plan.',
  meaning: 'The customer has used more or less quota than they ordered for. Find the request of the job in the log.',
  subject: 'job',
  contradictions: sql`
    select j.account_id, j.id as subject,
      case when c.job_id is null then 'has no charge in the ledger'
        else 'was ordered on the plan ' || j.plan_code || ', but is charged to ' || c.plan_code end as fault
    from jobs j
    left join usage_ledger c on c.account_id = j.account_id and c.job_id = j.id and c.quantity = 1
    where j.imported_at is null and (c.job_id is null or c.plan_code <> j.plan_code)`,
};

/** But for canceled jobs whose events were deleted: their status before the cancellation is unknown. */
const reversedWhenDue: Check = {
  rule: 'Quota is given back for a cancellation before any submission and for a rejection before any release.',
  meaning: 'The customer has lost quota that they should have back, or got back what they used.',
  subject: 'job',
  contradictions: sql`
    select account_id, id as subject,
      case when due then 'is ' || status || ' and should have given its quota back, but has no reversal'
        else 'is ' || status || ' and should keep its charge, but has a reversal' end as fault
    from (
      select j.account_id, j.id, j.status, r.job_id is not null as reversed,
        case j.status
          when 'rejected' then not j.ever_released
          when 'canceled' then not j.ever_submitted and exists (select from events v
            where v.account_id = j.account_id and v.job_id = j.id and v.type = 'job.canceled'
              and v.previous_status in ('queued', 'accepted'))
          else false
        end as due
      from jobs j
      left join usage_ledger r on r.account_id = j.account_id and r.job_id = j.id and r.quantity = -1
      left join job_outcomes o on o.account_id = j.account_id and o.job_id = j.id
      where j.imported_at is null and (j.status <> 'canceled' or o.events_deleted_at is null)
    ) ended
    where due <> reversed`,
};

const reversalLikeItsCharge: Check = {
  rule: 'A reversal gives back exactly what its charge took.',
  meaning: 'Quota was given back for another plan, period, key or service than it was taken from.',
  subject: 'job',
  contradictions: sql`
    select r.account_id, r.job_id as subject, 'has a reversal of another entitlement, plan, period, key or service' as fault
    from usage_ledger r
    join usage_ledger c on c.account_id = r.account_id and c.job_id = r.job_id and c.quantity = 1
    where r.quantity = -1 and
      (r.entitlement_id, r.plan_code, r.period_start, r.api_key_id, r.service_family, r.unit) is distinct from
      (c.entitlement_id, c.plan_code, c.period_start, c.api_key_id, c.service_family, c.unit)`,
};

const usedLikeTheLedger: Check = {
  rule: 'The used quota of a period is the sum of its ledger and adjustments.',
  meaning: 'The customer is refused too early or too late. The rows are right: set `used` to their sum.',
  subject: 'ent',
  contradictions: sql`
    select p.account_id, p.entitlement_id as subject,
      'has used ' || p.used || ' since ' || p.period_start || ', but the ledger has ' || coalesce(l.quantity, 0) as fault
    from entitlement_periods p
    left join (
      select account_id, entitlement_id, period_start, sum(quantity) as quantity
      from (
        select account_id, entitlement_id, period_start, quantity from usage_ledger
        union all
        select account_id, entitlement_id, period_start, quantity from quota_adjustments
      ) rows group by 1, 2, 3
    ) l using (account_id, entitlement_id, period_start)
    where p.used <> coalesce(l.quantity, 0)`,
};

const givenBackOfEndedJobs: Check = {
  rule: 'No more quota is given back than ended jobs of the period were charged.',
  meaning: 'The customer has more than the plan grants. Charge the difference by another adjustment.',
  subject: 'ent',
  contradictions: sql`
    select account_id, entitlement_id as subject,
      'gave back ' || -sum(quantity) || ' more than ended jobs were charged since ' || period_start as fault
    from (
      select account_id, entitlement_id, period_start, quantity from quota_adjustments
      union all
      select l.account_id, l.entitlement_id, l.period_start, l.quantity
      from usage_ledger l join jobs j on j.account_id = l.account_id and j.id = l.job_id
      where j.status in ('completed', 'rejected', 'canceled')
    ) rows group by account_id, entitlement_id, period_start having sum(quantity) < 0`,
};

const totalsLikeTheLedger: Check = {
  rule: 'The usage of a day is the sum of its ledger.',
  meaning:
    'Usage pages and later periods show wrong numbers. The ledger is right: set the total of the day to its sum.',
  subject: 'ent',
  contradictions: sql`
    select account_id, entitlement_id as subject,
      'has a total of ' || coalesce(t.quantity, 0) || ' ' || service_family || ' on ' || day || ', but the ledger has '
        || coalesce(l.quantity, 0) as fault
    from usage_totals t full join (
      select account_id, (created_at at time zone 'UTC')::date as day, entitlement_id, period_start, service_family,
        coalesce(api_key_id, '00000000-0000-0000-0000-000000000000') as api_key_id, sum(quantity) as quantity
      from usage_ledger group by 1, 2, 3, 4, 5, 6
    ) l using (account_id, day, entitlement_id, period_start, service_family, api_key_id)
    where coalesce(t.quantity, 0) <> coalesce(l.quantity, 0)`,
};

const entitlementOfItsSubscriber: Check = {
  rule: 'An entitlement belongs to the account of its subscription.',
  meaning: 'One account uses what another one pays for.',
  subject: 'ent',
  contradictions: sql`
    select e.account_id, e.id as subject, 'has the subscription ' || s.id || ' of another account' as fault
    from entitlements e join subscriptions s on s.id = e.subscription
    where s.account_id <> e.account_id`,
};

export const usageChecks = [
  chargedOnce,
  reversedWhenDue,
  reversalLikeItsCharge,
  usedLikeTheLedger,
  givenBackOfEndedJobs,
  totalsLikeTheLedger,
  entitlementOfItsSubscriber,
];
