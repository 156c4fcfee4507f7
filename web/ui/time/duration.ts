const unit = (name: 'day' | 'hour' | 'minute' | 'second') =>
  once(() => new Intl.NumberFormat(undefined, { style: 'unit', unit: name, unitDisplay: 'narrow' }));
const units = [
  { size: 86_400_000, format: unit('day') },
  { size: 3_600_000, format: unit('hour') },
  { size: 60_000, format: unit('minute') },
  { size: 1_000, format: unit('second') },
];
const together = once(() => new Intl.ListFormat(undefined, { type: 'unit', style: 'narrow' }));

/** "3h 10m", "11h": at most two units. Seconds only on request. */
export function sayDuration(milliseconds: number, smallest: 'minute' | 'second' = 'minute'): string {
  const counted = smallest === 'second' ? units : units.slice(0, 3);
  const last = counted.at(-1)!;
  const first = counted.findIndex(({ size }) => milliseconds >= size);
  if (first === -1) return last.format().format(0);
  let left = milliseconds;
  const matters = left < 6 * counted[first]!.size ? 2 : 1;
  const words = counted.slice(first, first + matters).map(({ size, format }) => {
    const whole = Math.floor(left / size);
    left -= whole * size;
    return { whole, text: format().format(whole) };
  });
  return together().format(words.filter(({ whole }, index) => index === 0 || whole > 0).map(({ text }) => text));
}

/** "3d", "11h": only the largest unit. */
export const sayAge = (milliseconds: number): string => {
  const { size, format } = units.find((unit) => milliseconds >= unit.size) ?? units[3]!;
  return format().format(Math.max(0, Math.floor(milliseconds / size)));
};

/** Creates a value on first use: Intl formatters are slow on phones. */
export function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}
