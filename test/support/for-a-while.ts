/**
 * Checks a property until the time is over, and `least` times in any case; later examples pass unchecked. The
 * time limit of fast-check does not wait for the example that is running, which would continue while the
 * database closes.
 */
export function forAWhile<Drawn extends unknown[]>(
  milliseconds: number,
  least: number,
  run: (...drawn: Drawn) => Promise<void>,
) {
  const end = performance.now() + milliseconds;
  let runs = 0;
  return async (...drawn: Drawn): Promise<void> => {
    if (runs < least || performance.now() < end) await run(...drawn);
    runs += 1;
  };
}
