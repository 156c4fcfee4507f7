import { type Place, read } from '../../app/reads.ts';

const day = 86_400_000;
export const ranges: Record<string, { label: string; days: number }> = {
  week: { label: '7 days', days: 7 },
  month: { label: '30 days', days: 30 },
  quarter: { label: '90 days', days: 90 },
  year: { label: 'A year', days: 365 },
};

/** The range in the address, up to the end of today in UTC. */
export function periodOf(range = 'month') {
  const { days } = ranges[range] ?? ranges.month!;
  const tomorrow = Math.ceil(Date.now() / day) * day;
  return { period_start: new Date(tomorrow - days * day).toISOString(), period_end: new Date(tomorrow).toISOString() };
}

export function figuresReads({ search: { range, family } }: Place) {
  return {
    figures: read('readFigures', { query: { ...periodOf(range), ...(family ? { service_family: family } : {}) } }),
  };
}
