import { Link } from '@tanstack/react-router';
import { deskPages } from '../../../contract/pages.ts';
import type { Money, PriceChecks, ProviderEvent } from '../../app/api.ts';
import type { ListRead } from '../../app/reads.ts';
import { pathTo } from '../../ui/page/address.ts';
import { Time } from '../../ui/time/time.tsx';
import { useMay } from '../may.ts';
import { AtStripe } from './at-stripe.tsx';
import { sayMoney, sayMonth } from './money-words.ts';
import { EventList, namedAccount, Payload, postedObject, Review, Reviews } from './provider-events.tsx';
import { reasonWords } from './reason-words.ts';

type Props = { read: ListRead<'listProviderEvents'>; money: Money | undefined; prices: PriceChecks | undefined };

/** Each with what is wrong and what mends it. Types and ids stand in the payload. */
export function MoneyEvents({ read, money, prices }: Props) {
  return (
    <section className="panel" aria-labelledby="money-events">
      <div className="panel-head">
        <h2 id="money-events">Events that need a look</h2>
        {money && money.counts.events > 0 && <span className="second numbers">{money.counts.events}</span>}
        {money && (
          <Link className="push" to={pathTo(deskPages.payments, {}, { outcome: 'all', month: money.month })}>
            All {money.events.toLocaleString()} of {sayMonth(money.month)}
          </Link>
        )}
      </div>
      <EventList
        read={read}
        label="Events that need a look"
        none={<p className="panel-body second">No event needs a look.</p>}
      >
        {(event) => <EventToLookAt key={event.id} event={event} prices={prices} />}
      </EventList>
    </section>
  );
}

function EventToLookAt({ event, prices }: { event: ProviderEvent; prices: PriceChecks | undefined }) {
  const may = useMay();
  const { sentence, remedy } = reasonWords(event.reason ?? '');
  const fact = wrongFact(event, prices);
  const accountId = event.account_id ?? namedAccount(event);
  return (
    <li className="event">
      <p className="ink" style={{ fontWeight: 500 }}>
        {sentence}
      </p>
      <p className="second">{remedy}</p>
      <p className="small second">
        {accountId && (
          <>
            <Link to={pathTo(deskPages.account, { id: accountId })}>
              {event.account_id ? event.account_name : 'the account it names (unverified)'}
            </Link>{' '}
            ·{' '}
          </>
        )}
        {fact && `${fact} · `}
        <Time at={event.received_at} as="moment" />
      </p>
      <Reviews event={event} />
      <div className="row">
        {may('manage_records') && <Review event={event} />}
        <AtStripe page={event.page} of={sentence} />
        <Payload event={event} />
      </div>
    </li>
  );
}

/** What the event says and should not say, in a few words; null where the sentence says enough. */
function wrongFact(event: ProviderEvent, checks: PriceChecks | undefined): string | null {
  const { reason } = event;
  const { metadata, items } = postedObject(event);
  const code = metadata?.service_entitlement_code;
  const price = items?.data?.[0]?.price;
  if (reason === 'unknown plan code' && typeof code === 'string') return `plan “${code}”`;
  if (reason === 'unknown price' && typeof price?.id === 'string') return price.id;
  if (reason === 'wrong amount' && typeof price?.unit_amount === 'number') {
    const plan = checks?.prices.find(({ price: { id } }) => id === price.id)?.price;
    return plan
      ? `${sayMoney(price.unit_amount, plan.currency)} instead of ${sayMoney(plan.unit_amount, plan.currency)}`
      : null;
  }
  if (reason === 'wrong currency' && typeof price?.currency === 'string') return price.currency.toUpperCase();
  return null;
}
