import { type Place, read, readPages } from '../../app/reads.ts';
import { boundOfDay } from '../../ui/time/day.ts';
import { periodOf } from './figures.reads.ts';

export const dimensions = { option: 'Services', customer: 'Customers', operator: 'Operators', worker: 'Workers' };
type Dimension = keyof typeof dimensions;

const isDimension = (text = ''): text is Dimension => Object.hasOwn(dimensions, text);
export const dimensionOf = ({ per }: Place['search']): Dimension => (isDimension(per) ? per : 'option');

const longest = 366 * 86_400_000;

/**
 * Chosen days, both included, or the range up to today. Without a last day, as many days as a report may
 * have.
 */
function boundsOf({ from, to, range }: Place['search']) {
  const [period_start, period_end] = [boundOfDay(from), boundOfDay(to, 1)];
  const upToToday = periodOf(range);
  if (period_start && period_end) return { period_start, period_end };
  if (period_end) return { period_end };
  if (!period_start) return upToToday;
  const start = Date.parse(period_start);
  const end = Math.max(start, Math.min(start + longest, Date.parse(upToToday.period_end)));
  return { period_start, period_end: new Date(end).toISOString() };
}

export const reportsReads = ({ search }: Place) => ({
  rows: readPages('listReportRows', { query: { per: dimensionOf(search), ...boundsOf(search), limit: 100 } }),
  report: read('readReport', { query: boundsOf(search) }),
});
