import { startOfDay } from './day.ts';

const day = 24 * 3_600_000;

/** "11 days before your wish": where a planned time lies. */
export function sayBesideWish(wish: string, planned: number): string {
  const days = Math.round((startOfDay(wish) - startOfDay(planned)) / day);
  if (days === 0) return 'on the day of your wish';
  const apart = Math.abs(days) === 1 ? 'a day' : `${Math.abs(days)} days`;
  return `${apart} ${days > 0 ? 'before' : 'after'} your wish`;
}
