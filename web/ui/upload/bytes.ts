const units = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** "1.2 MB" in the reader's language. The minimum is 0.1 kB. */
export function sayBytes(bytes: number): string {
  const power = bytes < 1024 ** 2 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10) - 1, units.length - 1);
  const value = Math.max(bytes / 1024 ** (power + 1), bytes === 0 ? 0 : 0.1);
  return new Intl.NumberFormat(undefined, {
    style: 'unit',
    unit: units[power] ?? 'kilobyte',
    unitDisplay: 'short',
    maximumFractionDigits: value < 10 ? 1 : 0,
  }).format(value);
}
