import { type Place, read } from '../../app/reads.ts';

const day = 86_400_000;

const mostDays = 366;

export type Days = { from: number; to: number };

const endOfToday = () => Math.ceil(Date.now() / day) * day;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
export const firstOf = (days: number) => dayOf(endOfToday() - days * day);

/** UTC days, like the usage itself. Null for the current period. */
export function daysOf(from: string | undefined, to: string | undefined): Days | null {
  const [first, last] = [Date.parse(`${from}T00:00Z`), Date.parse(`${to}T00:00Z`)];
  if (Number.isNaN(first) && Number.isNaN(last)) return null;
  const end = Number.isNaN(last) ? endOfToday() : last + day;
  return { from: Math.max(Number.isNaN(first) ? end - 30 * day : first, end - mostDays * day), to: end };
}

export function usageReads({ search: { from, to } }: Place) {
  const days = daysOf(from, to);
  if (!days) return { usage: read('readUsage') };
  const query = { period_start: new Date(days.from).toISOString(), period_end: new Date(days.to).toISOString() };
  return { usage: read('readUsage', { query }) };
}
