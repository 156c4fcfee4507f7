const [minute, hour] = [60, 3600];

/** Seconds from a failed attempt to the next: ten attempts over about three days, then it is given up. */
const waits = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];

/** For how many attempts an event delays later ones of its job. */
export const attemptsInOrder = 5;

/** Varied by a fifth to spread retries; null after the last. A receiver may ask for up to a day. */
export function secondsToRetry(attempt: number, retryAfter: number | null, random = Math.random()): number | null {
  const wait = waits[attempt - 1];
  if (wait === undefined) return null;
  return Math.max(wait * (0.8 + random * 0.4), Math.min(retryAfter ?? 0, 24 * hour));
}
