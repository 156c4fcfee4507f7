import { inUnits } from '../../../contract/plans/smallest-unit.ts';

/** An amount as the provider counts it. Whole amounts show no decimals. */
export function sayMoney(amount: number, currency: string, locale?: string): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: currency.toUpperCase(),
    trailingZeroDisplay: 'stripIfInteger',
  });
  return format.format(inUnits(amount, format));
}

const dayOf = (month: string) => new Date(`${month}-01T00:00:00Z`);
const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' });

/** "November". */
export const sayMonth = (month: string) => inUtc({ month: 'long' }).format(dayOf(month));
/** "November 2026". */
export const sayMonthAndYear = (month: string) => inUtc({ month: 'long', year: 'numeric' }).format(dayOf(month));
/** "N". */
export const sayInitial = (month: string) => inUtc({ month: 'narrow' }).format(dayOf(month));

export const thisMonth = () => new Date().toISOString().slice(0, 7);

/** The month so many months before. */
export function monthsBefore(month: string, count: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 - count)).toISOString().slice(0, 7);
}

export const lastMonths = (month: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => monthsBefore(month, count - 1 - at));
