import { deskPages } from '../../../contract/pages.ts';
import type { Money } from '../../app/api.ts';
import { counted } from '../../ui/job/words.ts';
import { type Column, List, type ListProps } from '../../ui/list/list.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Time } from '../../ui/time/time.tsx';
import { StandingCell } from '../standing.tsx';
import { AtStripe } from './at-stripe.tsx';
import { sayMoney } from './money-words.ts';

type Troubled = Money['accounts'][number];
type Return = Money['refunds_and_disputes'][number];

/** Accounts with open jobs whose plan is not paid, does not serve or soon ends. */
export const MoneyAccounts = ({ accounts }: { accounts: Troubled[] }) => (
  <MoneyList
    id="money-accounts"
    title="Plans in trouble, with open work"
    beside={`${counted(accounts.length, 'account')}, ${counted(jobsOf(accounts), 'job')}`}
    none="No account with open jobs has a plan in trouble."
    label="Accounts with open jobs"
    rows={accounts}
    columns={accountColumns}
    rowKey={({ account }) => account.id}
    href={({ account }) => pathTo(deskPages.account, { id: account.id })}
  />
);

const jobsOf = (accounts: readonly Troubled[]) => accounts.reduce((sum, { open_jobs: jobs }) => sum + jobs, 0);

export const MoneyReturns = ({ returns, month }: { returns: Return[]; month: string }) => (
  <MoneyList
    id="money-returns"
    title="Refunds and disputes"
    none={`None in ${month}.`}
    label="Refunds and disputes"
    tight
    rows={returns}
    columns={returnColumns}
    rowKey={({ id }) => id}
  />
);

type MoneyListProps<Row> = ListProps<Row> & { id: string; title: string; beside?: string; none: string };

const MoneyList = <Row,>({ id, title, beside, none, ...list }: MoneyListProps<Row>) => (
  <section aria-labelledby={id}>
    <h2 id={id} className="row" style={{ fontSize: 14, fontWeight: 600, marginBottom: 8 }}>
      {title}{' '}
      {beside && list.rows?.length !== 0 && (
        <span className="small second" style={{ fontWeight: 400 }}>
          {beside}
        </span>
      )}
    </h2>
    {list.rows?.length === 0 ? (
      <p className="second">{none}</p>
    ) : (
      <div className="bare">
        <List {...list} />
      </div>
    )}
  </section>
);

const accountColumns: Column<Troubled>[] = [
  {
    head: 'Account',
    width: '24%',
    cell: ({ account, name }) => (
      <>
        {account.name}
        <span className="cell-second">{name}</span>
      </>
    ),
  },
  {
    head: 'State',
    width: '38%',
    className: 'whole-line',
    cell: ({ standing }) => <StandingCell standing={standing} />,
  },
  {
    head: 'Open jobs',
    cell: ({ open_jobs: jobs, next_due_at: due }) => (
      <>
        <span className="ink">{counted(jobs, 'open job')}</span>
        <span className="cell-second">
          {due ? 'next due ' : 'waiting for the customer'}
          {due && <Time at={due} />}
        </span>
      </>
    ),
  },
  { head: 'At Stripe', end: true, cell: ({ page, account }) => <AtStripe page={page} of={account.name} /> },
];

const returnColumns: Column<Return>[] = [
  {
    head: 'What',
    width: '24%',
    cell: ({ kind }) => <span className="ink">{kind === 'dispute' ? 'Dispute' : 'Refund'}</span>,
  },
  {
    head: 'Account',
    width: '34%',
    cell: ({ account }) =>
      account ? <a href={pathTo(deskPages.account, { id: account.id })}>{account.name}</a> : 'customer unknown',
  },
  {
    head: 'Amount',
    className: 'numbers',
    cell: ({ amount, currency, happened_at: at }) => (
      <>
        {sayMoney(amount, currency)} · <Time at={at} as="day" />
      </>
    ),
  },
  { head: 'At Stripe', end: true, cell: ({ page, id }) => <AtStripe page={page} of={id} /> },
];
