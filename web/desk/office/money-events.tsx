import { Link } from '@tanstack/react-router';
import { deskPages } from '../../../contract/pages.ts';
import type { Money, PriceChecks, ProviderEvent } from '../../app/api.ts';
import type { ListRead } from '../../app/reads.ts';
import { usePages } from '../../app/use-pages.ts';
import { ListFoot } from '../../ui/list/list.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Code } from '../../ui/page/code.tsx';
import { Loaded } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { useMay } from '../may.ts';
import { AtStripe } from './at-stripe.tsx';
import { wrongFact } from './event-facts.ts';
import { sayMonth } from './money-words.ts';
import { namedAccount, Review, Reviews } from './provider-events.tsx';
import { reasonWords } from './reason-words.ts';

type Props = { read: ListRead<'listProviderEvents'>; money: Money | undefined; prices: PriceChecks | undefined };

/** Each with what is wrong and what mends it. Types and ids stand in the payload. */
export function MoneyEvents({ read, money, prices }: Props) {
  const events = usePages(read);
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
      <Loaded query={events}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="panel-body second">No event needs a look.</p>
          ) : (
            <>
              <ul className="events" aria-label="Events that need a look">
                {rows.map((event) => (
                  <EventToLookAt key={event.id} event={event} prices={prices} />
                ))}
              </ul>
              {events.more && (
                <div className="panel-body">
                  <ListFoot shown={`${rows.length} shown`} more={events.more} loading={events.loadingMore} />
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

function EventToLookAt({ event, prices }: { event: ProviderEvent; prices: PriceChecks | undefined }) {
  const may = useMay();
  const { sentence, remedy } = reasonWords(event.reason ?? '');
  const fact = wrongFact(event, prices);
  const named = namedAccount(event);
  return (
    <li className="event">
      <p className="ink" style={{ fontWeight: 500 }}>
        {sentence}
      </p>
      <p className="second">{remedy}</p>
      <p className="small second">
        {event.account_id && (
          <>
            <Link to={pathTo(deskPages.account, { id: event.account_id })}>{event.account_name}</Link> ·{' '}
          </>
        )}
        {!event.account_id && named && (
          <>
            <Link to={pathTo(deskPages.account, { id: named })}>the account it names (unverified)</Link> ·{' '}
          </>
        )}
        {fact && `${fact} · `}
        <Time at={event.received_at} as="moment" />
      </p>
      <Reviews event={event} />
      <div className="row">
        {may('manage_records') && <Review event={event} />}
        <AtStripe page={event.page} of={sentence} />
        <details className="small">
          <summary className="second">Payload</summary>
          <Code>{JSON.stringify(event.payload, null, 2)}</Code>
        </details>
      </div>
    </li>
  );
}
