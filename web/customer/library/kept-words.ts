import { sayDay, sayWeekday } from '../../ui/time/time.tsx';

type Retention = { kept_until: string | null; gone_at: string | null };

/** Files that leave within so many milliseconds are said to leave. */
const soon = 7 * 24 * 3_600_000;

/** "Kept until 22 Feb 2027", "Leaves on Mon 7 Dec", "No longer kept since 3 Nov". Nothing while the job is under way. */
export function sayKept({ kept_until, gone_at }: Retention, now = Date.now()): { words: string; isSoon: boolean } | null {
  if (gone_at) return { words: `No longer kept since ${sayDay(gone_at)}`, isSoon: false };
  if (!kept_until) return null;
  const isSoon = Date.parse(kept_until) - now <= soon;
  return { words: isSoon ? `Leaves on ${sayWeekday(kept_until)}` : `Kept until ${sayDay(kept_until)}`, isSoon };
}
