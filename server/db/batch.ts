import DataLoader from 'dataloader';

/**
 * Concurrent calls of one tick share one statement; a caller alone waits for nobody. While `inFlight` batches are at
 * the database the next one stays open and grows, so load makes batches larger instead of queues longer.
 * setImmediate, because the package's own scheduling per promise tick gave batches of 1.0 across sockets.
 */
export function batch<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<Answer[]>,
  { atMost, inFlight }: { atMost: number; inFlight: number },
): (question: Question) => Promise<Answer> {
  let running = 0;
  const held: (() => void)[] = [];
  const loader = new DataLoader<Question, Answer>(
    async (questions) => {
      running++;
      try {
        return await ask(questions);
      } finally {
        running--;
        held.shift()?.();
      }
    },
    {
      cache: false,
      maxBatchSize: atMost,
      batchScheduleFn: (dispatch) => {
        setImmediate(() => (running < inFlight ? dispatch() : held.push(dispatch)));
      },
    },
  );
  return (question) => loader.load(question);
}
