/** Where the payment provider counts in another unit than the smallest of the currency. */
const providersDigits: Record<string, number> = { isk: 2, ugx: 2, mga: 0 };

/** An amount as the payment provider counts it, in the units of a format of its currency. */
export function inUnits(amount: number, format: Intl.NumberFormat): number {
  const { currency = '', maximumFractionDigits: digits = 2 } = format.resolvedOptions();
  return amount / 10 ** (providersDigits[currency.toLowerCase()] ?? digits);
}
