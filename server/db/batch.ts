import DataLoader from 'dataloader';
import { doSharedWork } from '../http/work.ts';

/**
 * Concurrent calls of one tick share a statement; a lone call waits for nobody. While `maxInFlight` batches
 * are at the database, the next batch stays open and grows: load makes batches larger, not queues longer.
 * Uses setImmediate, because the package's own scheduling per promise tick gave batches of 1.0 across
 * sockets.
 */
export function batch<Key, Value>(
  load: (keys: readonly Key[]) => Promise<Value[]>,
  { maxBatchSize, maxInFlight }: { maxBatchSize: number; maxInFlight: number },
): (key: Key) => Promise<Value> {
  let running = 0;
  const waiting: (() => void)[] = [];
  const loader = new DataLoader<Key, Value>(
    async (keys) => {
      running++;
      try {
        return await load(keys);
      } finally {
        running--;
        waiting.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize,
      batchScheduleFn: (dispatch) => {
        setImmediate(() =>
          running < maxInFlight ? doSharedWork(dispatch) : waiting.push(() => doSharedWork(dispatch)),
        );
      },
    },
  );
  return (key) => loader.load(key);
}
