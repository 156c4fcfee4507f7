import { Select, Skeleton } from '@mantine/core';
import type { CSSProperties } from 'react';
import { type Money as MoneyData, type PriceChecks, useOperation } from '../../app/api.ts';
import { readPages } from '../../app/reads.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { useAddress } from '../../ui/page/address.ts';
import { Failure, Loaded, PageHead } from '../../ui/page/page.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { AtStripe } from './at-stripe.tsx';
import { MoneyAccounts, MoneyReturns } from './money-accounts.tsx';
import { MoneyEvents } from './money-events.tsx';
import { MoneyFigures, MoneyPlans } from './money-figures.tsx';
import { lastMonths, sayMonth, sayMonthAndYear, thisMonth } from './money-words.ts';
import { moneyReads, monthOf } from './money.reads.ts';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { Time } from '../../ui/time/time.tsx';
import { useMay } from '../may.ts';
import { counted } from '../../ui/job/words.ts';

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
            <div className="stack" role="progressbar" aria-label="Loading">
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

/** Whether plans can be bought: only while all their prices are those of the provider. */
function CheckoutState({ checks }: { checks: PriceChecks }) {
  const verify = useOperation('verifyPrices');
  const may = useMay()('manage_records');
  const run = () => verify.mutate({});
  useShortcut('v', 'Verify again', may && !verify.isPending ? run : null);
  const { prices, checkout_available: open } = checks;
  // During an upgrade, the previous version does not send it.
  const webhook: PriceChecks['webhook'] | undefined = checks.webhook;
  const at = prices.map(({ checked_at }) => checked_at ?? '').toSorted()[0];
  const wrong = prices
    .filter(({ verified }) => !verified)
    .map(({ plan_code: code, reason }) => `${code}: ${reason ?? 'not verified'}`);
  return (
    <div className="small" role="status">
      <span className={open ? 'good' : 'turn'}>
        {open
          ? `Checkout is open: ${counted(prices.length, 'price')} verified `
          : `Checkout is closed. ${wrong.join('; ')}`}
        {open && at && <Time at={at} />}.
      </span>{' '}
      {may && (
        <button type="button" className="link-button small" onClick={run} disabled={verify.isPending}>
          Verify again
        </button>
      )}
      {webhook && <WebhookHealth seen={webhook} />}
      {verify.error && <Failure error={verify.error} />}
    </div>
  );
}

const remedies = {
  secret:
    'Compare STRIPE_WEBHOOK_SECRET with the signing secret of the endpoint at the provider. If no event failed there, somebody else posts.',
  clock: 'Their signatures are too old or too new. Set the clock of each machine that serves.',
  mode: 'STRIPE_WEBHOOK_SECRET is that of the other mode. Set it to the signing secret of the endpoint in the mode of STRIPE_SECRET_KEY.',
};

/** Events that money waits on and that do not come through. Nothing while all is well. */
const WebhookHealth = ({ seen }: { seen: PriceChecks['webhook'] }) => (
  <>
    {seen.refused_since > 0 && (
      <p className="small bad" role="alert">
        {counted(seen.refused_since, 'signed post')} to the webhook {seen.refused_since === 1 ? 'was' : 'were'} refused
        {seen.accepted_at ? ' since the last accepted event, ' : ', and no event was accepted'}
        {seen.accepted_at && <Time at={seen.accepted_at} />}. {seen.refused_at && 'The last was refused '}
        {seen.refused_at && <Time at={seen.refused_at} />}
        {seen.refused_at && '. '}
        {remedies[seen.refused_because ?? 'secret']}
      </p>
    )}
    {seen.renewals_without_invoices && (
      <p className="small turn" role="alert">
        Renewals come without their invoices, so nothing shows whether they are paid. Have the endpoint at the provider
        send invoice.paid, invoice.payment_failed, invoice.voided and invoice.marked_uncollectible, too.
      </p>
    )}
  </>
);
