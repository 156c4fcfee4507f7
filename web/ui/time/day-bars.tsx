import { Box } from '@mantine/core';
import { useState } from 'react';
import { type Column, List } from '../list/list.tsx';
import { once } from './duration.ts';
import { niceTop } from './nice-top.ts';

type Bucket = { start: string; quantity: number };
type Props = { buckets: Bucket[]; from: number; to: number };

const day = 86_400_000;
const line = '1px solid var(--line)';

const plot = {
  pos: 'relative',
  display: 'flex',
  h: 200,
  mt: 10,
  pl: 30,
  style: { borderBottom: '1px solid var(--strong-line)' },
} as const;
const rule = {
  pos: 'absolute',
  left: 0,
  right: 0,
  pt: 3,
  fz: 12,
  lh: 1,
  style: { borderTop: line, pointerEvents: 'none' },
} as const;

const column = {
  flex: 1,
  miw: 0,
  display: 'flex',
  style: { alignItems: 'end', justifyContent: 'center', zIndex: 1 },
} as const;
const bar = { w: '60%', maw: 22, miw: 2, bg: 'var(--accent)', bdrs: '2px 2px 0 0' };

const columns: Column<{ start: number; quantity: number }>[] = [
  { head: 'Day', cell: ({ start }) => sayUtcDay(start) },
  { head: 'Jobs', end: true, className: 'numbers', cell: ({ quantity }) => quantity },
];

/** Also a table, for screen readers. */
export function DayBars({ buckets, from, to }: Props) {
  const [at, setAt] = useState<number | null>(null);
  const quantities = new Map(
    buckets.map(({ start, quantity }) => [Math.floor(Date.parse(start) / day) * day, quantity]),
  );
  const days = Array.from({ length: Math.max(1, Math.round((to - from) / day)) }, (_, index) => {
    const start = from + index * day;
    return { start, quantity: quantities.get(start) ?? 0 };
  });
  const most = niceTop(Math.max(1, ...days.map(({ quantity }) => quantity)));
  const shown = at === null ? null : days[at];
  return (
    <Box component="figure" className="stack-small" py={16} style={{ borderBlock: line }} aria-label="Jobs per day">
      <figcaption className="row between">
        <strong>Jobs per day</strong>
        <span className="second small numbers">
          {shown ? `${sayUtcDay(shown.start)}: ${shown.quantity}` : 'by UTC day'}
        </span>
      </figcaption>
      <Box className="day-plot" {...plot} aria-hidden onPointerLeave={() => setAt(null)}>
        {[most, most / 2].map((height) => (
          <Box key={height} component="span" className="third" {...rule} bottom={`${(height / most) * 100}%`}>
            {height}
          </Box>
        ))}
        {days.map(({ start, quantity }, index) => (
          <Box key={start} component="span" className="day" {...column} onPointerEnter={() => setAt(index)}>
            <Box component="span" {...bar} h={`${(Math.max(0, quantity) / most) * 100}%`} />
          </Box>
        ))}
      </Box>
      <div className="row between third small" aria-hidden>
        <span>{sayUtcDay(from)}</span>
        <span>{sayUtcDay(to - day)}</span>
      </div>
      <details className="small">
        <summary className="second">As a table</summary>
        <List
          label="Jobs by day"
          tight
          rows={days.filter(({ quantity }) => quantity !== 0)}
          columns={columns}
          rowKey={({ start }) => String(start)}
        />
      </details>
    </Box>
  );
}

const utcDay = once(
  () => new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' }),
);
const sayUtcDay = (at: number) => utcDay().format(at);
