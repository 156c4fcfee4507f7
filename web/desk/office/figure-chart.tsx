import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import type { Figures } from '../../app/api.ts';
import { niceTop } from '../../ui/time/nice-top.ts';
import { once } from '../../ui/time/duration.ts';
import { Swatch } from './figure-parts.tsx';

type Day = Figures['days'][number];

const tones = {
  /** Less striking than the others, but visible. */
  quiet: 'color-mix(in srgb, var(--third) 75%, var(--page))',
  accent: 'var(--accent)',
  bad: 'var(--bad)',
  turn: 'var(--turn)',
};

/** One colour of a day. Bars of a group are stacked, groups stand side by side. */
type Series = { name: string; tone: keyof typeof tones; of: (day: Day) => number };

type Props = { label: string; groups: Series[][]; days: Day[]; say: (day: Day) => string };

const size = { height: 200, left: 34, bottom: 22, top: 8 };
const plotHeight = size.height - size.bottom - size.top;
const labelWidth = 64;
/** Words along an axis. */
export const axisText = { fontSize: 11, fill: 'var(--third)' };

const utcDay = once(() => new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }));
const sayDay = (day: string) => utcDay().format(new Date(day));

/** A table next to the chart has the same data. */
export function FigureChart({ label, groups, days, say: tooltip }: Props) {
  const [at, setAt] = useState<number | null>(null);
  // Drawn at its displayed width, so that text keeps its size. Reserves its place until the width is known.
  const { ref, width } = useElementSize<HTMLElement>();
  const shown = at === null ? null : days[at];
  return (
    <figure ref={ref} aria-label={label}>
      <figcaption className="row between">
        <span className="second" style={{ display: 'flex', gap: 16, fontSize: 12.5 }}>
          {groups.flat().map(({ name, tone }) => (
            <span key={name}>
              <Swatch color={tones[tone]} />
              {name}
            </span>
          ))}
        </span>
        <span className="second small numbers">
          {shown ? `${sayDay(shown.day)}: ${tooltip(shown)}` : 'per UTC day'}
        </span>
      </figcaption>
      <svg display="block" width="100%" height={size.height} aria-hidden onPointerLeave={() => setAt(null)}>
        {width > 0 && <Plot days={days} groups={groups} width={width} onPoint={setAt} />}
      </svg>
    </figure>
  );
}

type PlotProps = Pick<Props, 'days' | 'groups'> & { width: number; onPoint: (index: number) => void };

function Plot({ days, groups, width, onPoint }: PlotProps) {
  const heights = days.flatMap((day) => groups.map((group) => group.reduce((sum, { of }) => sum + of(day), 0)));
  const most = niceTop(Math.max(1, ...heights));
  const step = (width - size.left) / days.length;
  const y = (value: number) => size.top + plotHeight * (1 - value / most);
  const every = Math.ceil(labelWidth / step);
  return (
    <>
      {[0, most / 2, most].map((line) => (
        <g key={line}>
          <line stroke="var(--line)" x1={size.left} x2={width} y1={y(line)} y2={y(line)} />
          <text {...axisText} x={size.left - 6} y={y(line) + 4} textAnchor="end">
            {line.toLocaleString()}
          </text>
        </g>
      ))}
      {days.map((day, index) => {
        const x = size.left + index * step;
        return (
          <g key={day.day} onPointerEnter={() => onPoint(index)}>
            <rect x={x} y={size.top} width={step} height={plotHeight} fill="transparent" />
            <Bars day={day} groups={groups} middle={x + step / 2} step={step} y={y} />
            {index % every === 0 && (
              <text {...axisText} x={x + step / 2} y={size.height - 6} textAnchor="middle">
                {sayDay(day.day)}
              </text>
            )}
          </g>
        );
      })}
    </>
  );
}

type BarsProps = { day: Day; groups: Series[][]; middle: number; step: number; y: (value: number) => number };

function Bars({ day, groups, middle, step, y }: BarsProps) {
  const width = Math.min(14, (step * 0.72) / groups.length);
  return groups.map((group, index) => {
    const x = middle + (index - groups.length / 2) * (width + 2) + 1;
    let below = 0;
    return group.map(({ name, tone, of }) => {
      const from = below;
      below += of(day);
      return <rect key={name} fill={tones[tone]} x={x} width={width} y={y(below)} height={y(from) - y(below)} />;
    });
  });
}
