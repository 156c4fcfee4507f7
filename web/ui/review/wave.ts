/** The loudest sample of each part, relative to the loudest of all. */
export function peaksOf(samples: Float32Array, count: number): number[] {
  const peaks = Array.from({ length: count }, (_, index) => {
    const part = samples.subarray(
      Math.floor((index * samples.length) / count),
      Math.floor(((index + 1) * samples.length) / count),
    );
    return part.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
  });
  const loudest = Math.max(...peaks);
  return peaks.map((peak) => (loudest === 0 ? 0 : peak / loudest));
}
