import { useState } from 'react';
import { steady, type SteadyRow } from './steady.ts';

type Steady<Row> = { rows: SteadyRow<Row>[] | undefined; waiting: number; adopt: () => void };

/** New rows wait until `isPointing` ends or `adopt` is called. A new `scope` is a new list. */
export function useSteadyRows<Row extends { id: string }>(
  now: Row[] | undefined,
  scope: string,
  isPointing: boolean,
): Steady<Row> {
  const [shown, setShown] = useState<{ scope: string; rows: Row[] } | null>(null);
  const isSame = shown?.scope === scope;
  const holds = isPointing && isSame && shown.rows.length > 0;
  if (now && !holds && !(isSame && shown.rows === now)) setShown({ scope, rows: now });
  if (!now || !shown || !isSame) return { rows: undefined, waiting: 0, adopt: () => {} };
  return { ...steady(shown.rows, now), adopt: () => setShown({ scope, rows: now }) };
}
