import { type RawBuilder, sql } from 'kysely';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { readMoney } from '../../../contract/desk/money.ts';
import { providerPage } from '../../billing/provider-page.ts';
import type { Provider } from '../../billing/provider.ts';
import type { Db } from '../../db/pool.ts';
import { showId } from '../../lib/id.ts';
import { isOpen } from '../queue/desk-job.ts';
import { foremostPlan, planStanding, showStanding, type StandingRow } from '../../entitlements/standing.ts';

type Shown = AnswerOf<typeof readMoney>['body']['money']['accounts'][number];
type Row = Pick<Shown, 'plan_code' | 'name' | 'open_jobs'> & {
  account_id: string;
  account_name: string;
  customer: string | null;
  standing: StandingRow;
  next_due_at: Date | null;
};

/** Accounts with open jobs whose plan that matters most gives no access, soon gives none, or is not paid. */
const troubled = (graceHours: number): RawBuilder<unknown> => sql`(
  select o.account_id, o.open_jobs, o.next_due_at, plan.code, plan.name, plan.state = 'ends' as only_ends,
    ${planStanding} as standing
  from (
    select j.account_id, count(*)::int as open_jobs, min(j.due_at) filter (where j.due_round = j.revisions_used
      and j.status in ('queued', 'accepted', 'running', 'needs_review')) as next_due_at
    from jobs j where ${isOpen} group by j.account_id
  ) o cross join lateral (${foremostPlan(graceHours, sql`o.account_id`)}) plan
  where plan.state <> 'well' and (plan.state <> 'ends' or plan.until < now() + interval '30 days'))`;

export async function troubledAccounts(
  { db, provider, graceHours }: { db: Db; provider: Provider; graceHours: number },
  atMost: number,
): Promise<Shown[]> {
  const { rows } = await sql<Row>`
    select c.account_id, a.name as account_name, c.code as plan_code, c.name, c.standing, c.open_jobs, c.next_due_at,
      (select k.customer from provider_customers k
        where k.account_id = c.account_id and k.provider = ${provider.name} and k.gone_at is null) as customer
    from ${troubled(graceHours)} c join accounts a on a.id = c.account_id
    order by c.only_ends, c.next_due_at nulls last, c.account_id limit ${atMost}`.execute(db);
  return rows.map(({ account_id, account_name, customer, standing, next_due_at, ...row }) => ({
    ...row,
    account: { id: showId('acct', account_id), name: account_name },
    standing: showStanding(standing),
    next_due_at: next_due_at?.toISOString() ?? null,
    page: providerPage(provider, 'customers', customer),
  }));
}

/** Without those that only end soon: nothing has happened there yet. */
export async function countTroubledAccounts(db: Db, graceHours: number): Promise<number> {
  const { rows } = await sql<{ accounts: number }>`
    select count(*)::int as accounts from ${troubled(graceHours)} c where not c.only_ends`.execute(db);
  return rows[0]?.accounts ?? 0;
}
