/**
 * Runs `work` for each item, so many at once. After a failure it begins no more, aborts those under way, and
 * throws only when each has ended.
 */
export async function runAtOnce<T>(
  atOnce: number,
  items: AsyncIterable<T>,
  work: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const control = new AbortController();
  const iterator = items[Symbol.asyncIterator]();
  const run = async () => {
    for (;;) {
      const { done, value } = await iterator.next();
      if (done === true || control.signal.aborted) return;
      await work(value, control.signal);
    }
  };
  const abort = (error: unknown) => control.abort(error);
  await Promise.all(Array.from({ length: atOnce }, () => run().catch(abort)));
  await iterator.return?.();
  if (control.signal.aborted) throw control.signal.reason;
}
