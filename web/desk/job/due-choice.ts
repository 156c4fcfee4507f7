import {
  type BusinessHours,
  hoursAfter,
  isBusinessTime,
  workingDaysAfter,
  workingWeekAfter,
} from '../../../contract/studio/business-time.ts';
import { isUtc } from '../../ui/time/day.ts';
import { sayMoment } from '../../ui/time/time.tsx';

const two = (part: number) => String(part).padStart(2, '0');

/** A moment as a date and time field takes it (`2026-11-30T12:00`), in the displayed zone. */
export function asField(at: number): string {
  const date = new Date(at);
  if (isUtc()) return date.toISOString().slice(0, 16);
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Null if the field is empty or incomplete. */
export function fromField(text: string): string | null {
  const at = Date.parse(isUtc() ? `${text}Z` : text);
  return Number.isNaN(at) ? null : new Date(at).toISOString();
}

/** The same time of day, also where the clocks change in between. */
export function daysLater(at: number, days: number): number {
  const date = new Date(at);
  if (isUtc()) return date.setUTCDate(date.getUTCDate() + days);
  return date.setDate(date.getDate() + days);
}

const weekday = (at: number) => (isUtc() ? new Date(at).getUTCDay() : new Date(at).getDay());

/** Later than the due date, or than now if that is over. A studio with hours counts its working days. */
export function quickDates(
  due: number | null,
  now: number,
  business: BusinessHours | null = null,
): { label: string; at: number }[] {
  const from = Math.max(due ?? now, now);
  if (business) {
    const week = workingWeekAfter(business, from);
    const name = new Date(week).toLocaleDateString('en', { weekday: 'long', timeZone: business.time_zone });
    return [
      { label: '+1 working day', at: workingDaysAfter(business, from, 1) },
      { label: '+2 working days', at: workingDaysAfter(business, from, 2) },
      { label: `Next ${name}`, at: week },
    ];
  }
  return [
    { label: '+1 day', at: daysLater(from, 1) },
    { label: '+2 days', at: daysLater(from, 2) },
    { label: 'Next Monday', at: daysLater(from, (8 - weekday(from)) % 7 || 7) },
  ];
}

/** What is said of a date at which the studio does not work; null if it does. */
export function sayOutside(business: BusinessHours | null, at: string | null): string | null {
  if (business === null || at === null || isBusinessTime(business, Date.parse(at))) return null;
  return `The studio does not work then. It works again ${sayMoment(hoursAfter(business, Date.parse(at), 0))}.`;
}
