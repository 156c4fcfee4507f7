/**
 * Checks a property until the time is over; later examples pass unchecked. The time limit of fast-check does
 * not wait for the example that is running, which would continue while the database closes.
 */
export function forAWhile<Drawn extends unknown[]>(milliseconds: number, run: (...drawn: Drawn) => Promise<void>) {
  const end = performance.now() + milliseconds;
  return async (...drawn: Drawn): Promise<void> => {
    if (performance.now() < end) await run(...drawn);
  };
}
