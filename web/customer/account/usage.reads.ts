import { type Place, read } from '../../app/reads.ts';
import { daysOf } from './usage-days.ts';

export function usageReads({ search: { from, to } }: Place) {
  const days = daysOf(from, to);
  if (!days) return { usage: read('readUsage') };
  const query = { period_start: new Date(days.from).toISOString(), period_end: new Date(days.to).toISOString() };
  return { usage: read('readUsage', { query }) };
}
