import { SegmentedControl, Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { deskPages } from '../../../contract/pages.ts';
import type { Figures as FiguresData } from '../../app/api.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { curl } from '../../ui/page/curl.ts';
import { Empty } from '../../ui/list/empty.tsx';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { FigureChart } from './figure-chart.tsx';
import { sayCount, sayHours, share } from './figure-words.ts';
import { BigFigure } from './big-figure.tsx';
import { figuresReads, ranges } from './figures.reads.ts';

export function Figures() {
  const [{ range = 'month', family }, setAddress] = useAddress<'range' | 'family'>();
  const { families } = useServiceNames();
  const figures = useRead(useReads(figuresReads).figures, { refetchInterval: 60_000 });
  return (
    <>
      <PageHead
        title="Figures"
        below="Each thing counts on the day it happened, in UTC."
        actions={
          <>
            <Select
              w={190}
              aria-label="Service"
              data={[
                { value: '', label: 'All services' },
                ...families.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              value={family ?? ''}
              onChange={(value) => setAddress({ family: value ?? undefined })}
            />
            <SegmentedControl
              aria-label="Range"
              data={Object.entries(ranges).map(([value, { label }]) => ({ value, label }))}
              value={range in ranges ? range : 'month'}
              onChange={(value) => setAddress({ range: value === 'month' ? undefined : value })}
            />
          </>
        }
      />
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
      <dl className="figure-row numbers">
        <BigFigure term="Created" value={sayCount(total.created)} />
        <BigFigure term="Delivered" value={sayCount(total.delivered)} />
        <BigFigure term="On time" value={share(total.on_time, total.delivered)} />
        <BigFigure term="Rounds of changes" value={sayCount(total.revised)} />
        <BigFigure term="Time to first delivery" value={sayHours(total.median_hours_to_delivery)} detail="median" />
      </dl>
      <FigureChart
        label="Jobs created and delivered per day"
        days={days}
        groups={[
          [{ name: 'Created', tone: 'quiet', of: (day) => day.created }],
          [
            { name: 'Delivered on time', tone: 'accent', of: (day) => day.on_time },
            { name: 'Delivered late', tone: 'bad', of: (day) => day.delivered - day.on_time },
          ],
        ]}
        say={({ created, delivered }) => `${sayCount(created)} created, ${sayCount(delivered)} delivered`}
      />
      <div className="charts-two">
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
  const command = curl({ path: '/api/operator/v1/figures', credential: 'ATELIER_TOKEN' });
  return (
    <Empty
      action={
        range === 'year' && !family ? (
          <ActionButton variant="default" onClick={() => void navigate({ to: deskPages.queue })}>
            Go to the queue
          </ActionButton>
        ) : (
          <ActionButton variant="default" onClick={() => setAddress({ range: 'year', family: undefined })}>
            Show a year of all services
          </ActionButton>
        )
      }
      command={command}
    >
      Nothing was ordered or delivered in these days.
    </Empty>
  );
}

type MeasureRow = FiguresData['total'] & { key: string; name: string };

const measureHeads = ['Created', 'Delivered', 'On time', 'Changes', 'Median time to delivery'];

const FigureTable = ({ head, rows }: { head: string; rows: MeasureRow[] }) => (
  <table className="list tight numbers" aria-label={`Figures per ${head.toLowerCase()}`}>
    <thead>
      <tr>
        <th scope="col">{head}</th>
        {measureHeads.map((name) => (
          <th key={name} scope="col" className="end">
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={row.key}>
          <td className="ink">{row.name}</td>
          <td className="end" data-head={measureHeads[0]}>
            {sayCount(row.created)}
          </td>
          <td className="end" data-head={measureHeads[1]}>
            {sayCount(row.delivered)}
          </td>
          <td className="end" data-head={measureHeads[2]}>
            {share(row.on_time, row.delivered)}
          </td>
          <td className="end" data-head={measureHeads[3]}>
            {sayCount(row.revised)}
          </td>
          <td className="end" data-head={measureHeads[4]}>
            {sayHours(row.median_hours_to_delivery)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
