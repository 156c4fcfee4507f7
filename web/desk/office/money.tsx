import { Select, Skeleton } from '@mantine/core';
import type { CSSProperties } from 'react';
import type { Money as MoneyData, PriceChecks } from '../../app/api.ts';
import { readPages } from '../../app/reads.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { useAddress } from '../../ui/page/address.ts';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { AtStripe } from './at-stripe.tsx';
import { CheckoutState } from './checkout-state.tsx';
import { MoneyAccounts, MoneyReturns } from './money-accounts.tsx';
import { MoneyEvents } from './money-events.tsx';
import { MoneyFigures, MoneyPlans } from './money-figures.tsx';
import { lastMonths, sayMonth, sayMonthAndYear, thisMonth } from './money-words.ts';
import { moneyReads, monthOf } from './money.reads.ts';

export function Money() {
  const [search, setAddress] = useAddress<'month'>();
  const reads = useReads(moneyReads);
  const money = useRead(reads.money);
  const prices = useRead(reads.prices);
  const month = monthOf(search) ?? thisMonth();
  const months = [...new Set([...lastMonths(thisMonth(), 24), month])].toSorted().toReversed();
  return (
    <>
      <PageHead
        title="Money"
        beside={prices.data?.livemode === false && <span className="brand-part">Test mode</span>}
        below="What paid invoices of the payment provider say."
      >
        <Select
          w={176}
          aria-label="Month"
          data={months.map((value) => ({ value, label: sayMonthAndYear(value) }))}
          value={month}
          onChange={(value) => setAddress({ month: value === null || value === thisMonth() ? undefined : value })}
        />
        <ExportButton list="money" read={readPages('listPayments', { query: { month } })} />
        <AtStripe variant="default" page={money.data?.money.provider ?? null}>
          Stripe
        </AtStripe>
      </PageHead>
      <div className="columns" style={{ '--beside': '400px' } as CSSProperties}>
        <Loaded
          query={money}
          skeleton={
            <div className="stack" aria-label="Loading">
              <Skeleton className="late" height={74} />
              <Skeleton className="late" height={230} />
              <Skeleton className="late" height={174} />
            </div>
          }
        >
          {({ money: data }) => <Month money={data} prices={prices.data} />}
        </Loaded>
        <MoneyEvents read={reads.look} money={money.data?.money} prices={prices.data} />
      </div>
    </>
  );
}

const Month = ({ money, prices }: { money: MoneyData; prices: PriceChecks | undefined }) => (
  <div className="stack" style={{ gap: 28 }}>
    <MoneyFigures money={money} />
    <div className="stack-small">
      <MoneyPlans money={money} />
      <p className="small third">
        Invoices that were paid in {sayMonth(money.month)}, in UTC, taxes included. Refunds are not taken off. This is
        no bookkeeping.
      </p>
      {prices && <CheckoutState checks={prices} />}
    </div>
    <MoneyAccounts accounts={money.accounts} />
    <MoneyReturns returns={money.refunds_and_disputes} month={sayMonth(money.month)} />
  </div>
);
