export function niceTop(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  const top = [1, 2, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= most) ?? most;
  return Math.max(2, top);
}
