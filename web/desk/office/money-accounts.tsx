import { deskPages } from '../../../contract/pages.ts';
import type { Money } from '../../app/api.ts';
import { type Column, List } from '../../ui/list/list.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Time } from '../../ui/time/time.tsx';
import { StandingCell } from '../standing.tsx';
import { AtStripe } from './at-stripe.tsx';
import { counted } from '../../ui/job/words.ts';
import { sayMoney } from './money-words.ts';

type Troubled = Money['accounts'][number];
type Return = Money['refunds_and_disputes'][number];

const head = { fontSize: 14, fontWeight: 600, marginBottom: 8 };

/** Accounts with open jobs whose plan is not paid, does not serve or soon ends. */
export const MoneyAccounts = ({ accounts }: { accounts: Troubled[] }) => (
  <section aria-labelledby="money-accounts">
    <h2 id="money-accounts" className="row" style={head}>
      Plans in trouble, with open work{' '}
      {accounts.length > 0 && (
        <span className="small second" style={{ fontWeight: 400 }}>
          {counted(accounts.length, 'account')}, {counted(jobsOf(accounts), 'job')}
        </span>
      )}
    </h2>
    {accounts.length === 0 ? (
      <p className="second">No account with open jobs has a plan in trouble.</p>
    ) : (
      <div className="bare">
        <List
          label="Accounts with open jobs"
          rows={accounts}
          columns={accountColumns}
          rowKey={({ account }) => account.id}
          href={({ account }) => pathTo(deskPages.account, { id: account.id })}
        />
      </div>
    )}
  </section>
);

const jobsOf = (accounts: readonly Troubled[]) => accounts.reduce((sum, { open_jobs: jobs }) => sum + jobs, 0);

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
          {due ? (
            <>
              next due <Time at={due} />
            </>
          ) : (
            'waiting for the customer'
          )}
        </span>
      </>
    ),
  },
  { head: 'At Stripe', end: true, cell: ({ page, account }) => <AtStripe page={page} of={account.name} /> },
];

export const MoneyReturns = ({ returns, month }: { returns: Return[]; month: string }) => (
  <section aria-labelledby="money-returns">
    <h2 id="money-returns" style={head}>
      Refunds and disputes
    </h2>
    {returns.length === 0 ? (
      <p className="second">None in {month}.</p>
    ) : (
      <div className="bare">
        <List label="Refunds and disputes" tight rows={returns} columns={returnColumns} rowKey={({ id }) => id} />
      </div>
    )}
  </section>
);

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
    cell: ({ amount, currency, happened_at: at }) => (
      <span className="numbers">
        {sayMoney(amount, currency)} · <Time at={at} as="day" />
      </span>
    ),
  },
  { head: 'At Stripe', end: true, cell: ({ page, id }) => <AtStripe page={page} of={id} /> },
];
