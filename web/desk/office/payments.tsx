import { SegmentedControl } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { deskPages } from '../../../contract/pages.ts';
import { useReads } from '../../app/use-reads.ts';
import { useAddress } from '../../ui/page/address.ts';
import { PageHead } from '../../ui/page/page.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { sayMonthAndYear } from './money-words.ts';
import { monthOf, outcomeOf, paymentsReads } from './money.reads.ts';
import { ProviderEvents } from './provider-events.tsx';

const outcomes = { look: 'Needs a look', ignored: 'Ignored', processed: 'Processed', all: 'All' };

export function Payments() {
  const [search, setAddress] = useAddress<'outcome' | 'month'>();
  const reads = useReads(paymentsReads);
  const month = monthOf(search);
  return (
    <>
      <PageHead
        title="Events of the payment provider"
        above={<Link to={deskPages.money}>Money</Link>}
        below={month && `Received in ${sayMonthAndYear(month)}, in UTC.`}
      >
        <ExportButton list="payments" read={reads.events} />
      </PageHead>
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
    </>
  );
}
