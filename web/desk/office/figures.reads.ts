import { type Place, read } from '../../app/reads.ts';

const day = 86_400_000;
export const ranges: Record<string, { label: string; days: number }> = {
  week: { label: '7 days', days: 7 },
  month: { label: '30 days', days: 30 },
  quarter: { label: '90 days', days: 90 },
  year: { label: 'A year', days: 365 },
};

export function figuresReads({ search: { range = 'month', family } }: Place) {
  const { days } = ranges[range] ?? ranges.month!;
  const tomorrow = Math.ceil(Date.now() / day) * day;
  const query = {
    period_start: new Date(tomorrow - days * day).toISOString(),
    period_end: new Date(tomorrow).toISOString(),
    ...(family ? { service_family: family } : {}),
  };
  return { figures: read('readFigures', { query }) };
}
