const two = (number: number) => String(number).padStart(2, '0');

/** "0:24", "1:02:05": how long a film or a sound runs. */
export function sayLength(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** The loudest sample of each of so many parts, as a share of the loudest of all. */
export function wavePeaks(samples: Float32Array, parts: number): number[] {
  const size = Math.max(1, Math.floor(samples.length / parts));
  const peaks = Array.from({ length: parts }, (_, part) => {
    let peak = 0;
    for (let at = part * size; at < Math.min(samples.length, (part + 1) * size); at++)
      peak = Math.max(peak, Math.abs(samples[at] ?? 0));
    return peak;
  });
  const loudest = Math.max(...peaks);
  return peaks.map((peak) => (loudest === 0 ? 0 : peak / loudest));
}
