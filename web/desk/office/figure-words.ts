import { sayDuration } from '../../ui/time/duration.ts';

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });

export const sayShare = (share: number | null): string => (share === null ? '–' : percent.format(share));

export const share = (part: number, all: number): string => sayShare(all === 0 ? null : part / all);

export const sayCount = (count: number): string => count.toLocaleString();

/** Workers deliver in seconds. */
export function sayHours(hours: number | null): string {
  if (hours === null) return '–';
  return hours * 60 < 1 ? 'under a minute' : sayDuration(hours * 3_600_000);
}
