import { useRef, useState } from 'react';

/** Runs requests one after the other, so that each sees the version before it. */
export function useQueue() {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const [count, setCount] = useState(0);
  /** Of the last request that failed, until one succeeds. */
  const [failure, setFailure] = useState<Error | null>(null);
  const inTurn = <T>(run: () => Promise<T>): Promise<T> => {
    const turn = last.current.then(run);
    setCount((before) => before + 1);
    last.current = turn
      .then(
        () => setFailure(null),
        (error: Error) => setFailure(error),
      )
      .finally(() => setCount((before) => before - 1));
    return turn;
  };
  return { inTurn, failure, isSaving: count > 0 };
}
