import { sql } from 'kysely';
import type { readMoney as endpoint } from '../../../contract/desk/money.ts';
import type { Period } from '../../billing/anchored-month.ts';
import { monthOf, monthsFrom, paymentsOf, readMonth, showPayment } from '../../billing/payment.ts';
import { providerPage } from '../../billing/provider-page.ts';
import type { Provider } from '../../billing/provider.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Db } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { moneyCounts } from './count-money.ts';
import { plansOfMonth } from './plans-of-month.ts';
import { troubledAccounts } from './troubled-accounts.ts';

type Money = AnswerOf<typeof endpoint>['body']['money'];
type Dependencies = { db: Db; catalog: Catalog; provider: Provider; graceHours: number };

const mostRows = 100;

export async function readMoney(
  dependencies: Dependencies,
  { query }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { db, provider } = dependencies;
  const period = await readMonth(db, query.month);
  const month = monthOf(period.start);
  const paid = await paidByMonth(dependencies, { start: monthsFrom(month, -11), end: period.end });
  const returns = sql`y.kind <> 'invoice' and y.livemode = ${provider.livemode} and y.happened_at >= ${period.start} and y.happened_at < ${period.end}`;
  return {
    status: 200,
    body: {
      money: {
        month,
        currencies: currenciesOf(paid, month),
        months: paid.map(({ month: of, plan_code, currency, paid: sum }) => ({
          month: of,
          plan_code,
          currency,
          paid: sum,
        })),
        plans: await plansOfMonth(dependencies, period, new Set(paid.map(({ plan_code }) => plan_code))),
        refunds_and_disputes: (await paymentsOf(db, returns, mostRows)).map((row) => showPayment(provider, row)),
        accounts: await troubledAccounts(dependencies, mostRows),
        counts: await moneyCounts(dependencies),
        events: await countEvents(db, period),
        provider: providerPage(provider, '', ''),
      },
    },
  };
}

type Paid = Money['months'][number] & { periods: number };

/** Of each month the paid invoices, by plan and currency. */
async function paidByMonth({ db, provider }: Dependencies, { start, end }: Period): Promise<Paid[]> {
  const { rows } = await sql<Omit<Paid, 'paid'> & { paid: string }>`
    select to_char(m.month, 'YYYY-MM') as month, m.plan_code, m.currency, m.paid, m.periods
    from (
      select date_trunc('month', y.happened_at at time zone 'UTC') as month, y.plan_code, y.currency,
        sum(y.amount) as paid, count(y.period_start)::int as periods
      from provider_payments y
      where y.kind = 'invoice' and y.livemode = ${provider.livemode} and y.happened_at >= ${start} and y.happened_at < ${end}
      group by 1, 2, 3
    ) m order by m.month, m.currency, m.plan_code`.execute(db);
  return rows.map((row) => ({ ...row, paid: Number(row.paid) }));
}

function currenciesOf(paid: readonly Paid[], month: string): Money['currencies'] {
  const before = monthOf(monthsFrom(month, -1));
  const names = [
    ...new Set(paid.filter((row) => row.month === month || row.month === before).map((row) => row.currency)),
  ];
  return names.toSorted().map((currency) => {
    const sum = (field: 'paid' | 'periods', of: string) =>
      paid.reduce((total, row) => total + (row.month === of && row.currency === currency ? row[field] : 0), 0);
    return { currency, paid: sum('paid', month), periods: sum('periods', month), paid_before: sum('paid', before) };
  });
}

async function countEvents(db: Db, { start, end }: Period): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    select count(*)::int as events from provider_events where received_at >= ${start} and received_at < ${end}`.execute(
    db,
  );
  return rows[0]?.events ?? 0;
}
