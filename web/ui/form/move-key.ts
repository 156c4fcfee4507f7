import { useState } from 'react';

/** One Idempotency-Key for a move of a job in its present state: pressing twice moves once. */
export function useMoveKey(state: string): string {
  const [kept, setKept] = useState(() => ({ state, key: crypto.randomUUID() }));
  if (kept.state === state) return kept.key;
  const next = { state, key: crypto.randomUUID() };
  setKept(next);
  return next.key;
}
