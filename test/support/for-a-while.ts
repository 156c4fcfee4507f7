/**
 * The predicate of a property, until the time is over; whatever is drawn after that passes unseen. fast-check's own limit
 * leaves the run that is under way to itself, and it would go on while the database closes.
 */
export function forAWhile<Drawn extends unknown[]>(milliseconds: number, run: (...drawn: Drawn) => Promise<void>) {
  const end = performance.now() + milliseconds;
  return async (...drawn: Drawn): Promise<void> => {
    if (performance.now() < end) await run(...drawn);
  };
}
