import { SegmentedControl } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '../../ui/look/icons.ts';
import { type PriceChecks, useOperation } from '../../app/api.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { Loaded, PageHead, Panel } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { useRoleReason } from '../may.ts';
import { outcomeOf, paymentsReads } from './payments.reads.ts';
import { ProviderEvents } from './provider-events.tsx';

const outcomes = { look: 'Needs a look', ignored: 'Ignored', processed: 'Processed', all: 'All' };

export function Payments() {
  const [search, setAddress] = useAddress<'outcome'>();
  const reads = useReads(paymentsReads);
  return (
    <>
      <PageHead
        title="Payments"
        below="Access and quota come only from signed events of the payment provider."
        actions={<ExportButton list="payments" read={reads.events} />}
      />
      <div className="columns">
        <section className="panel" aria-label="Events">
          <div className="panel-head">
            <h2>Events</h2>
            <span className="push">
              <SegmentedControl
                aria-label="Outcome"
                data={Object.entries(outcomes).map(([value, label]) => ({ value, label }))}
                value={outcomeOf(search)}
                onChange={(value) => setAddress({ outcome: value === 'look' ? undefined : value })}
              />
            </span>
          </div>
          <ProviderEvents read={reads.events} />
        </section>
        <Prices />
      </div>
    </>
  );
}

function Prices() {
  const prices = useRead(useReads(paymentsReads).prices);
  const verify = useOperation('verifyPrices');
  const reason = useRoleReason('manage_records');
  return (
    <Panel title="Prices" beside={<Verdict checks={prices.data} />}>
      <div className="stack">
        <Loaded query={prices}>
          {({ prices: data }) => (
            <ul className="stack-small">
              {data.map(({ plan_code: code, price, verified, reason, checked_at: at }) => (
                <li key={code}>
                  <div className="row between">
                    <strong className="capital">{code}</strong>
                    <span className="numbers">{sayPrice(price.unit_amount, price.currency)}</span>
                  </div>
                  <span className={verified ? 'small good' : 'small turn'}>
                    {verified ? 'Verified' : (reason ?? 'Not verified')}
                  </span>{' '}
                  {at && (
                    <span className="small third">
                      <Time at={at} />
                    </span>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Loaded>
        {verify.error && <Failure error={verify.error} />}
        <ActionButton
          variant="default"
          keys="v"
          reason={reason}
          loading={verify.isPending}
          onClick={() => verify.mutate({})}
        >
          Verify the prices
        </ActionButton>
      </div>
    </Panel>
  );
}

function Verdict({ checks }: { checks: PriceChecks | undefined }) {
  if (!checks) return null;
  const { checkout_available: open, livemode } = checks;
  const Mark = open ? IconCircleCheck : IconAlertTriangle;
  return (
    <span className={open ? 'push status good' : 'push status turn'}>
      <Mark size={14} aria-hidden /> {open ? 'Checkout is open' : 'Checkout is closed'}
      {!livemode && ', test mode'}
    </span>
  );
}

const sayPrice = (amount: number, currency: string) =>
  new Intl.NumberFormat(undefined, { style: 'currency', currency: currency.toUpperCase() }).format(amount / 100);
