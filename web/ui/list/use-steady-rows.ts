import { useMemo, useState } from 'react';

export type SteadyRow<Row> = { row: Row; gone: boolean };

/** Removed rows keep their places, marked as gone; new rows are only counted. */
export function steady<Row extends { id: string }>(
  before: Row[],
  now: Row[],
): { rows: SteadyRow<Row>[]; waiting: number } {
  const present = new Map(now.map((row) => [row.id, row]));
  const shown = new Set(before.map(({ id }) => id));
  return {
    rows: before.map((row) => ({ row: present.get(row.id) ?? row, gone: !present.has(row.id) })),
    waiting: now.filter(({ id }) => !shown.has(id)).length,
  };
}

/** New rows wait until `isPointing` ends or `adopt` is called. A new `scope` is a new list. */
export function useSteadyRows<Row extends { id: string }>(now: Row[] | undefined, scope: string, isPointing: boolean) {
  const [shown, setShown] = useState<{ scope: string; rows: Row[] } | null>(null);
  const isSame = shown?.scope === scope;
  const holds = isPointing && isSame && shown.rows.length > 0;
  if (now && !holds && !(isSame && shown.rows === now)) setShown({ scope, rows: now });
  const rows = isSame ? shown.rows : undefined;
  const steadied = useMemo(() => now && rows && steady(rows, now), [rows, now]);
  if (!now || !steadied) return { rows: undefined, waiting: 0, adopt: () => {} };
  return { ...steadied, adopt: () => setShown({ scope, rows: now }) };
}
