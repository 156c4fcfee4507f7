import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type BusinessHours, readSpan, weekdays } from '../../contract/business-time.ts';
import { StudioFile } from './catalog-file.ts';
import { type Fault, readYaml } from './yaml-file.ts';

type Option = { turnaround_hours: number; revision_hours?: number | undefined };
type Studio = { businessHours: BusinessHours | null; problems: string[] };

const hour = 3_600_000;
const allDay = ['00:00-24:00'];

/** Reads `studio.yaml`, if there is one. The hours must suffice for these options. */
export function loadStudio(dir: string, options: readonly Option[]): Studio {
  const file = join(dir, 'studio.yaml');
  if (!existsSync(file)) return { businessHours: null, problems: [] };
  const longest = Math.max(0, ...options.flatMap((option) => [option.turnaround_hours, option.revision_hours ?? 0]));
  const { content, problems } = readYaml(file, StudioFile, (some) => studioFaults(some as StudioFile | null, longest));
  return { businessHours: content && businessHoursOf(content), problems };
}

function businessHoursOf({ time_zone = 'UTC', hours, holidays = [] }: StudioFile): BusinessHours | null {
  if (!hours && holidays.length === 0) return null;
  const [mon, tue, wed, thu, fri, sat, sun] = weekdays.map((day) => (hours ? (hours[day] ?? []) : allDay));
  return { time_zone, hours: { mon, tue, wed, thu, fri, sat, sun } as BusinessHours['hours'], holidays };
}

/** Accepts anything, even a wrong shape, which the schema reports. */
function* studioFaults(content: StudioFile | null, longest: number): Generator<Fault> {
  const { time_zone, hours, holidays } = content ?? {};
  if (typeof time_zone === 'string' && !isTimeZone(time_zone))
    yield { path: ['time_zone'], message: `"${time_zone}" is no time zone such as Europe/Berlin` };
  if (typeof hours === 'object' && hours !== null) yield* hoursFaults(hours, longest);
  const days: unknown[] = Array.isArray(holidays) ? holidays : [];
  for (const [i, date] of days.entries()) {
    if (!isDate(date)) yield { path: ['holidays', i], message: `"${String(date)}" is no day of the calendar` };
    if (days.indexOf(date) !== i) yield { path: ['holidays', i], message: `"${String(date)}" stands here twice` };
  }
}

function* hoursFaults(hours: NonNullable<StudioFile['hours']>, longest: number): Generator<Fault> {
  let week = 0;
  for (const day of weekdays) {
    let last = 0;
    const spans: unknown[] = Array.isArray(hours[day]) ? hours[day] : [];
    for (const [i, text] of spans.entries()) {
      const { opens, closes } = readSpan(String(text));
      if (closes <= opens) yield { path: ['hours', day, i], message: 'must end after it begins, on the same day' };
      if (opens < last) yield { path: ['hours', day, i], message: 'must begin after the span before it has ended' };
      last = closes;
      week += Math.max(0, closes - opens) / hour;
    }
  }
  if (longest > week * 52)
    yield {
      path: ['hours'],
      message: `an option takes ${longest} hours, more than a year of the ${Math.floor(week)} hours a week`,
    };
}

function isTimeZone(name: string): boolean {
  // Offsets such as +01:00 know no summer time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function isDate(text: unknown): boolean {
  const at = typeof text === 'string' ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text;
}
