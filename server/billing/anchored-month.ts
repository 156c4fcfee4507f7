export type Period = { start: Date; end: Date };

/** A missing day becomes the last day of its month. */
export function monthsAfter(anchor: Date, months: number): Date {
  const [year, month] = [anchor.getUTCFullYear(), anchor.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = Math.min(anchor.getUTCDate(), lastDay);
  return new Date(Date.UTC(year, month, day) + (anchor.getTime() % 86_400_000));
}

/** The month since `anchor` that contains `at`: 31 January to 28 February, then to 31 March. */
export function anchoredMonth(anchor: Date, at: Date): Period {
  const calendarMonths = (at.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + at.getUTCMonth() - anchor.getUTCMonth();
  const reached = monthsAfter(anchor, calendarMonths) <= at ? calendarMonths : calendarMonths - 1;
  const month = Math.max(reached, 0);
  return { start: monthsAfter(anchor, month), end: monthsAfter(anchor, month + 1) };
}
