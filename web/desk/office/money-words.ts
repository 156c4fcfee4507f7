/** Where the provider counts in another unit than the smallest of the currency. */
const providersDigits: Record<string, number> = { isk: 2, ugx: 2, mga: 0 };

/** An amount in the provider's unit. Yen have no decimals, dinars have three; whole amounts show none. */
export function sayMoney(amount: number, currency: string, locale?: string): string {
  const options = {
    style: 'currency',
    currency: currency.toUpperCase(),
    trailingZeroDisplay: 'stripIfInteger',
  } as const;
  const format = new Intl.NumberFormat(locale, options);
  const digits = providersDigits[currency] ?? format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
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

export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;
