import { useState } from 'react';

/** One Idempotency-Key per state of a job, so that pressing twice moves it once. */
export function useMoveKey(state: string): string {
  const [current, setKept] = useState(() => ({ state, key: crypto.randomUUID() }));
  if (current.state === state) return current.key;
  const next = { state, key: crypto.randomUUID() };
  setKept(next);
  return next.key;
}
