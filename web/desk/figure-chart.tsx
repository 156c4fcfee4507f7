import { useElementSize } from '@mantine/hooks';
import { useState } from 'react';
import type { Figures } from '../api.ts';
import { niceTop } from '../ui/day-bars.tsx';

type Day = Figures['days'][number];

const size = { height: 220, left: 34, bottom: 22, top: 8 };
const plotHeight = size.height - size.bottom - size.top;
/** Pixels that the date below a day takes. */
const labelWidth = 64;

const sayDay = (day: string) =>
  new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day));

/** Two bars a day: what came in, and what went out, late ones in another colour. The table beside it says the same. */
export function FigureChart({ days }: { days: Day[] }) {
  const [at, setAt] = useState<number | null>(null);
  // Drawn as wide as it is shown, so that its words keep their size.
  const { ref, width: measured } = useElementSize<HTMLElement>();
  const width = measured || 1_000;
  const most = niceTop(Math.max(1, ...days.flatMap(({ created, delivered }) => [created, delivered])));
  const step = (width - size.left) / days.length;
  const shown = at === null ? null : days[at];
  const y = (value: number) => size.top + plotHeight * (1 - value / most);
  return (
    <figure ref={ref} aria-label="Jobs created and delivered per day">
      <figcaption className="row between">
        <span className="legend">
          <span>
            <i style={{ background: 'var(--strong-line)' }} />
            Created
          </span>
          <span>
            <i style={{ background: 'var(--accent)' }} />
            Delivered on time
          </span>
          <span>
            <i style={{ background: 'var(--bad)' }} />
            Delivered late
          </span>
        </span>
        <span className="second small numbers">
          {shown ? `${sayDay(shown.day)}: ${shown.created} created, ${shown.delivered} delivered` : 'per UTC day'}
        </span>
      </figcaption>
      <svg className="chart" viewBox={`0 0 ${width} ${size.height}`} aria-hidden onPointerLeave={() => setAt(null)}>
        {[0, most / 2, most].map((line) => (
          <g key={line}>
            <line className="axis" x1={size.left} x2={width} y1={y(line)} y2={y(line)} />
            <text x={size.left - 6} y={y(line) + 4} textAnchor="end">
              {line}
            </text>
          </g>
        ))}
        {days.map((one, index) => (
          <Bars
            key={one.day}
            day={one}
            x={size.left + index * step}
            step={step}
            y={y}
            onPoint={() => setAt(index)}
            label={index % Math.ceil(labelWidth / step) === 0}
          />
        ))}
      </svg>
    </figure>
  );
}

type BarsProps = {
  day: Day;
  x: number;
  step: number;
  y: (value: number) => number;
  onPoint: () => void;
  label: boolean;
};

function Bars({ day, x, step, y, onPoint, label }: BarsProps) {
  const width = Math.min(14, step * 0.36);
  const middle = x + step / 2;
  const late = day.delivered - day.on_time;
  return (
    <g onPointerEnter={onPoint}>
      <rect x={x} y={size.top} width={step} height={plotHeight} fill="transparent" />
      <rect
        className="created"
        x={middle - width - 1}
        width={width}
        y={y(day.created)}
        height={y(0) - y(day.created)}
      />
      <rect className="on-time" x={middle + 1} width={width} y={y(day.on_time)} height={y(0) - y(day.on_time)} />
      <rect
        className="late-bar"
        x={middle + 1}
        width={width}
        y={y(day.on_time + late)}
        height={y(day.on_time) - y(day.on_time + late)}
      />
      {label && (
        <text x={middle} y={size.height - 6} textAnchor="middle">
          {sayDay(day.day)}
        </text>
      )}
    </g>
  );
}
