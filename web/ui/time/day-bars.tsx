import { useState } from 'react';
import { once } from '../page/once.ts';
import { niceTop } from './nice-top.ts';

type Bucket = { start: string; quantity: number };
type Props = { buckets: Bucket[]; from: number; to: number };

const day = 86_400_000;

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
    <figure className="day-bars" aria-label="Jobs per day">
      <figcaption className="row between">
        <strong>Jobs per day</strong>
        <span className="second small numbers">
          {shown ? `${sayUtcDay(shown.start)}: ${shown.quantity}` : 'by UTC day'}
        </span>
      </figcaption>
      <div className="day-plot" aria-hidden onPointerLeave={() => setAt(null)}>
        {[most, most / 2].map((line) => (
          <span key={line} className="day-line" style={{ bottom: `${(line / most) * 100}%` }}>
            {line}
          </span>
        ))}
        {days.map(({ start, quantity }, index) => (
          <span key={start} className="day" onPointerEnter={() => setAt(index)}>
            <span style={{ height: `${(Math.max(0, quantity) / most) * 100}%` }} />
          </span>
        ))}
      </div>
      <div className="row between third small" aria-hidden>
        <span>{sayUtcDay(from)}</span>
        <span>{sayUtcDay(to - day)}</span>
      </div>
      <details className="small">
        <summary className="second">As a table</summary>
        <table className="list tight">
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" className="end">
                Jobs
              </th>
            </tr>
          </thead>
          <tbody>
            {days
              .filter(({ quantity }) => quantity !== 0)
              .map(({ start, quantity }) => (
                <tr key={start}>
                  <td>{sayUtcDay(start)}</td>
                  <td className="end numbers">{quantity}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}

const utcDay = once(
  () => new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' }),
);
const sayUtcDay = (at: number) => utcDay().format(at);
