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
