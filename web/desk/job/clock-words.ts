import { sayDuration } from '../../ui/time/duration.ts';

const hour = 3_600_000;
/** The service reminds the customer by mail after these times. */
const reminders = [24 * hour, 72 * hour, 168 * hour];

/** When the next reminder goes to the customer; null after the last one. */
export function reminderAfter(since: number, now: number): number | null {
  const next = reminders.find((after) => since + after > now);
  return next === undefined ? null : since + next;
}

export const sayLeft = (left: number): string =>
  left < 0
    ? `With the answer it runs again, ${sayDuration(-left)} late.`
    : `With the answer it runs again, with ${sayDuration(left)} left.`;
