import { Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { deskPages } from '../../../contract/pages.ts';
import type { Figures as FiguresData } from '../../app/api.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { curl } from '../../ui/page/curl.ts';
import { type Column, Empty, List } from '../../ui/list/list.tsx';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { FigureChart } from './figure-chart.tsx';
import { BigFigures, numberColumn, RangeChoice, sayCount, sayHours, share } from './figure-parts.tsx';
import { figuresReads } from './figures.reads.ts';

export function Figures() {
  const [{ range, family }, setAddress] = useAddress<'range' | 'family'>();
  const { everyFamily } = useServiceNames();
  const figures = useRead(useReads(figuresReads).figures, { refetchInterval: 60_000 });
  return (
    <>
      <PageHead title="Figures" below="Each thing counts on the day it happened, in UTC.">
        <Select
          w={190}
          aria-label="Service"
          data={[
            { value: '', label: 'All services' },
            ...everyFamily.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={family ?? ''}
          onChange={(value) => setAddress({ family: value ?? undefined })}
        />
        <RangeChoice range={range} onChange={(next) => setAddress({ range: next })} />
      </PageHead>
      <Loaded query={figures} height={420}>
        {({ figures: data }) => <Shown figures={data} />}
      </Loaded>
    </>
  );
}

function Shown({ figures: { total, days, families } }: { figures: FiguresData }) {
  const { familyName } = useServiceNames();
  if (total.created + total.delivered + total.revised === 0) return <NoFigures />;
  return (
    <div className="stack" style={{ gap: 28 }}>
      <BigFigures
        figures={[
          { term: 'Created', value: sayCount(total.created) },
          { term: 'Delivered', value: sayCount(total.delivered) },
          { term: 'First deliveries on time', value: share(total.on_time, total.delivered) },
          { term: 'Rounds of changes', value: sayCount(total.revised) },
          { term: 'Time to first delivery', value: sayHours(total.median_hours_to_delivery), detail: 'median' },
        ]}
      />
      <FigureChart
        label="Jobs created and delivered per day"
        days={days}
        groups={[
          [{ name: 'Created', tone: 'quiet', of: (day) => day.created }],
          [
            { name: 'First delivery on time', tone: 'accent', of: (day) => day.on_time },
            { name: 'First delivery late', tone: 'bad', of: (day) => day.delivered - day.on_time },
          ],
        ]}
        say={({ created, delivered }) => `${sayCount(created)} created, ${sayCount(delivered)} delivered`}
      />
      <div style={{ display: 'grid', gap: 28, gridTemplateColumns: 'repeat(auto-fit, minmax(320px, 1fr))' }}>
        <FigureChart
          label="Rounds of changes per day"
          days={days}
          groups={[[{ name: 'Rounds of changes', tone: 'turn', of: (day) => day.revised }]]}
          say={({ revised }) => `${sayCount(revised)} asked for`}
        />
        <FigureChart
          label="Hours from the order to the first delivery, median per day"
          days={days}
          groups={[
            [{ name: 'Hours to first delivery', tone: 'accent', of: (day) => day.median_hours_to_delivery ?? 0 }],
          ]}
          say={({ median_hours_to_delivery: median }) => sayHours(median)}
        />
      </div>
      <FigureTable
        head="Service"
        rows={families.map(({ service_family: id, ...measures }) => ({ key: id, name: familyName(id), ...measures }))}
      />
      <details>
        <summary className="second">The days as a table</summary>
        <FigureTable
          head="Day"
          rows={days
            .filter(({ created, delivered, revised }) => created + delivered + revised > 0)
            .toReversed()
            .map(({ day: name, ...measures }) => ({ key: name, name, ...measures }))}
        />
      </details>
    </div>
  );
}

function NoFigures() {
  const [{ range, family }, setAddress] = useAddress<'range' | 'family'>();
  const navigate = useNavigate();
  const isAll = range === 'year' && !family;
  const toQueue = () => void navigate({ to: deskPages.queue });
  const showAll = () => setAddress({ range: 'year', family: undefined });
  return (
    <Empty
      action={
        <ActionButton variant="default" onClick={isAll ? toQueue : showAll}>
          {isAll ? 'Go to the queue' : 'Show a year of all services'}
        </ActionButton>
      }
      command={curl({ path: '/api/operator/v1/figures', credential: 'ATELIER_TOKEN' })}
    >
      Nothing was ordered or delivered in these days.
    </Empty>
  );
}

type MeasureRow = FiguresData['total'] & { key: string; name: string };

const FigureTable = ({ head, rows }: { head: string; rows: MeasureRow[] }) => (
  <List
    label={`Figures per ${head.toLowerCase()}`}
    tight
    rows={rows}
    columns={[{ head, cell: ({ name }) => name }, ...measureColumns]}
    rowKey={({ key }) => key}
  />
);

const measureColumns: Column<MeasureRow>[] = [
  numberColumn('Created', ({ created }) => sayCount(created)),
  numberColumn('Delivered', ({ delivered }) => sayCount(delivered)),
  numberColumn('First on time', ({ on_time, delivered }) => share(on_time, delivered)),
  numberColumn('Changes', ({ revised }) => sayCount(revised)),
  numberColumn('Median time to delivery', ({ median_hours_to_delivery: hours }) => sayHours(hours)),
];
