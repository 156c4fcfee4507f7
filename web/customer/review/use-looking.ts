import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Looker } from '../../ui/review/lookers.tsx';

/** Milliseconds between two signs that the page shows a review. */
const every = 20_000;

type Say = (looking: boolean) => Promise<{ lookers: Looker[] }>;

/** Says that the page shows a review until it is closed, and who else does. `say`: null for a view. */
export function useLooking(key: unknown[], say: Say | null): Looker[] {
  const { data } = useQuery({
    queryKey: key,
    queryFn: () => say?.(true) ?? null,
    enabled: say !== null,
    refetchInterval: every,
    gcTime: 0,
  });
  // Nobody waits for it: without it the sign ends by itself.
  const leave = useEffectEvent(() => void say?.(false).catch(() => {}));
  useEffect(() => () => leave(), []);
  return data?.lookers ?? [];
}
