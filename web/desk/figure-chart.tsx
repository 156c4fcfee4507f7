import { useState } from 'react';
import type { Figures } from '../api.ts';

type Day = Figures['days'][number];

const size = { width: 1000, height: 220, left: 34, bottom: 22, top: 8 };
const plot = { width: size.width - size.left, height: size.height - size.bottom - size.top };

const sayDay = (day: string) =>
  new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(new Date(day));

/** Two bars a day: what came in, and what went out, late ones in another colour. The table beside it says the same. */
export function FigureChart({ days }: { days: Day[] }) {
  const [at, setAt] = useState<number | null>(null);
  const most = niceTop(Math.max(1, ...days.flatMap(({ created, delivered }) => [created, delivered])));
  const step = plot.width / days.length;
  const shown = at === null ? null : days[at];
  const y = (value: number) => size.top + plot.height * (1 - value / most);
  return (
    <figure aria-label="Jobs created and delivered per day">
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
      <svg
        className="chart"
        viewBox={`0 0 ${size.width} ${size.height}`}
        aria-hidden
        onPointerLeave={() => setAt(null)}
      >
        {[0, most / 2, most].map((line) => (
          <g key={line}>
            <line className="axis" x1={size.left} x2={size.width} y1={y(line)} y2={y(line)} />
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
            label={index % Math.ceil(days.length / 10) === 0}
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
      <rect x={x} y={size.top} width={step} height={plot.height} fill="transparent" />
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

/** The next even number that is easy to read on an axis. */
function niceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return Math.max(2, [1, 2, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= most) ?? most);
}
