import { type RawBuilder, sql } from 'kysely';
import type { listPayments } from '../../contract/desk/money.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { databaseTime, type Db } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import { type Period } from './anchored-month.ts';
import { providerPage } from './provider-page.ts';
import type { Provider } from './provider.ts';

type Shown = AnswerOf<typeof listPayments>['body']['payments'][number];
type Row = Pick<Shown, 'kind' | 'id' | 'plan_code' | 'currency'> & {
  account_id: string | null;
  account_name: string | null;
  amount: string;
  period_start: Date | null;
  period_end: Date | null;
  happened_at: Date;
};

/** Newest first. `chosen` refers to them as `y`. */
export async function paymentsOf(db: Db, chosen: RawBuilder<unknown>, atMost: number): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select y.kind, y.id, y.account_id, (select a.name from accounts a where a.id = y.account_id) as account_name,
      y.plan_code, y.amount, y.currency, y.period_start, y.period_end, y.happened_at
    from provider_payments y where ${chosen}
    order by y.happened_at desc, y.id desc limit ${atMost}`.execute(db);
  return rows;
}

const pages = { invoice: 'invoices', refund: 'payments', dispute: 'disputes' } as const;

export const showPayment = (provider: Provider, row: Row): Shown => ({
  kind: row.kind,
  id: row.id,
  account: row.account_id === null ? null : { id: showId('acct', row.account_id), name: row.account_name ?? '' },
  plan_code: row.plan_code,
  amount: Number(row.amount),
  currency: row.currency,
  period:
    row.period_start && row.period_end
      ? { start: row.period_start.toISOString(), end: row.period_end.toISOString() }
      : null,
  happened_at: row.happened_at.toISOString(),
  page: providerPage(provider, pages[row.kind], row.id),
});

/** A month in UTC as the contract writes it. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

export async function readMonth(db: Db, month: string | undefined): Promise<Period> {
  const start = month === undefined ? monthOf(await databaseTime(db)) : month;
  return { start: new Date(`${start}-01T00:00:00Z`), end: monthsFrom(start, 1) };
}

/** The first moment of the month so many months later. */
export const monthsFrom = (month: string, count: number): Date => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count));
};
