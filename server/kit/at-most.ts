/** Runs what it is given, so many at a time; the rest waits in the order of coming. A turn is handed on, never free between two. */
export function atMost(limit: number): <T>(run: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (run) => {
    if (running < limit) running++;
    else await new Promise<void>((turn) => waiting.push(turn));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
