const [minute, hour] = [60, 3600];

/** Seconds from a failed attempt to the next, and then it is given up: ten attempts over about three days. */
const waits = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];

/** Attempts through which an event holds up later ones of its job. */
export const attemptsInOrder = 5;

/**
 * Seconds until the next attempt, give or take a fifth, so that what failed together does not come back together; null after
 * the last one. A receiver may ask for a longer wait, up to a day.
 */
export function secondsToRetry(attempt: number, retryAfter: number | null, random = Math.random()): number | null {
  const wait = waits[attempt - 1];
  if (wait === undefined) return null;
  return Math.max(wait * (0.8 + random * 0.4), Math.min(retryAfter ?? 0, 24 * hour));
}
