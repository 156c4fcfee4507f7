import { Box, SegmentedControl } from '@mantine/core';
import type { Column } from '../../ui/list/list.tsx';
import { sayDuration } from '../../ui/time/duration.ts';
import { ranges } from './figures.reads.ts';

export const BigFigures = ({ figures }: { figures: { term: string; value: string; detail?: string }[] }) => (
  <dl className="numbers" style={{ display: 'flex', flexWrap: 'wrap', gap: '16px 36px' }}>
    {figures.map(({ term, value, detail }) => (
      <div key={term}>
        <Box component="dt" fz={12.5} c="var(--second)">
          {term}
        </Box>
        <Box component="dd" fz={22} fw={600}>
          {value}{' '}
          {detail && (
            <Box component="small" fz={12.5} fw={400} c="var(--second)">
              {detail}
            </Box>
          )}
        </Box>
      </div>
    ))}
  </dl>
);

type RangeProps = { range: string | undefined; isNone?: boolean; onChange: (range: string | undefined) => void };

export const RangeChoice = ({ range = 'month', isNone = false, onChange }: RangeProps) => (
  <SegmentedControl
    aria-label="Range"
    data={Object.entries(ranges).map(([value, { label }]) => ({ value, label }))}
    value={isNone ? '' : range in ranges ? range : 'month'}
    onChange={(value) => onChange(value === 'month' ? undefined : value)}
  />
);

export const numberColumn = <Row,>(head: string, say: (row: Row) => string): Column<Row> => ({
  head,
  named: true,
  end: true,
  className: 'numbers',
  cell: say,
});

export const Swatch = ({ color, opacity, mr = 6 }: { color: string; opacity?: number; mr?: number }) => (
  <Box component="i" aria-hidden display="inline-block" w={9} h={9} mr={mr} bdrs={2} bg={color} opacity={opacity} />
);

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });

export const sayShare = (share: number | null): string => (share === null ? '–' : percent.format(share));

export const share = (part: number, all: number): string => sayShare(all === 0 ? null : part / all);

export const sayCount = (count: number): string => count.toLocaleString();

/** Workers deliver in seconds. */
export function sayHours(hours: number | null): string {
  if (hours === null) return '–';
  return hours * 60 < 1 ? 'under a minute' : sayDuration(hours * 3_600_000);
}
