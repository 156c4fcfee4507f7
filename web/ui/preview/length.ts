/** "0:04", "0:12.5", "1:02:03". */
export function sayTime(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const whole = Math.floor(tenths / 10);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const fraction = tenths % 10 === 0 ? '' : `.${tenths % 10}`;
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}${fraction}`;
}

/** The loudest sample of each part, relative to the loudest of all. */
export function peaksOf(samples: Float32Array, count: number): number[] {
  const start = (index: number) => Math.floor((index * samples.length) / count);
  const peaks = Array.from({ length: count }, (_, index) =>
    samples.subarray(start(index), start(index + 1)).reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0),
  );
  const loudest = Math.max(...peaks);
  return peaks.map((peak) => (loudest === 0 ? 0 : peak / loudest));
}
