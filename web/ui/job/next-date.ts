import type { NextDate } from '../../../client/generated/types.gen.ts';
import { sayNearDay, sayPastDay } from '../time/time.tsx';

/** "Round 2 due Thu 3 Dec": what comes next for a job. Null once it has ended. */
export function sayNextDate(next: NextDate | null, now: number): string | null {
  if (next === null) return null;
  if (next.falls_at === null) return 'No date is promised';
  const day = sayNearDay(next.falls_at, now);
  switch (next.kind) {
    case 'first_delivery':
      return `First delivery due ${day}`;
    case 'round':
      return `Round ${next.round} due ${day}`;
    case 'review':
      return `Review by ${day}`;
    case 'question':
      return `The clock has stood still since ${sayPastDay(next.falls_at, now)}`;
    case 'wish':
      return `Wished for ${day}`;
    case 'none':
      return 'No date is promised';
  }
}

/** Whether the studio promised the date and has passed it. */
export const isLate = (next: NextDate | null, now: number): boolean =>
  (next?.kind === 'first_delivery' || next?.kind === 'round') &&
  next.falls_at !== null &&
  Date.parse(next.falls_at) < now;
