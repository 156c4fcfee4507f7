import { accentFault } from '../../contract/studio/accent.ts';
import { type BusinessHours, readSpan, weekdays } from '../../contract/studio/business-time.ts';
import type { CatalogProblem as Problem } from '../../contract/desk/catalog-versions.ts';
import { defaultName } from '../../contract/studio/plain-studio.ts';
import type { Studio } from '../../contract/studio/studio.ts';
import type { Picture } from './catalog.ts';
import { hexColor, StudioFile, webAddress } from './catalog-file.ts';
import type { Documents } from './documents.ts';
import { type Cleaned, type LoadedMark, markFaults } from './load-marks.ts';
import { type Fault, readYaml } from './yaml-file.ts';

type Option = { turnaround_hours: number; revision_hours?: number | undefined };
type Loaded = {
  studio: Studio;
  /** Its pictures by path. */
  pictures: Map<string, Picture>;
  businessHours: BusinessHours | null;
  /** There are hours, and nobody has said of which time zone: they count in UTC. */
  lacksTimeZone: boolean;
  problems: Problem[];
  cleaned: Cleaned[];
};

const accentColor = new RegExp(hexColor);
const page = new RegExp(webAddress);
const hour = 3_600_000;
const allDay = ['00:00-24:00'];

/** Reads `studio.yaml` and its pictures, if there are any. The hours must suffice for these options. */
export function loadStudio(documents: Documents, options: readonly Option[]): Loaded {
  const file = 'studio.yaml';
  const marks = new Map<string, LoadedMark>();
  if (!documents.has(file))
    return {
      studio: studioOf({}, marks),
      pictures: new Map(),
      businessHours: null,
      lacksTimeZone: false,
      problems: [],
      cleaned: [],
    };
  const cleaned: Cleaned[] = [];
  const longest = Math.max(0, ...options.flatMap((option) => [option.turnaround_hours, option.revision_hours ?? 0]));
  const { content, problems } = readYaml(documents, file, StudioFile, function* (some) {
    yield* studioFaults(some as StudioFile | null, longest);
    yield* markFaults(documents, some as StudioFile | null, marks, cleaned);
  });
  return {
    studio: studioOf(content ?? {}, marks),
    pictures: new Map([...marks.values()].map(({ path, picture }) => [path, picture])),
    businessHours: content && businessHoursOf(content),
    lacksTimeZone: content?.hours !== undefined && content.time_zone === undefined,
    problems,
    cleaned,
  };
}

const studioOf = (file: StudioFile, marks: ReadonlyMap<string, LoadedMark>): Studio => ({
  name: file.name ?? defaultName,
  tagline: file.tagline ?? null,
  mark: marks.get('mark')?.path ?? null,
  mark_dark: marks.get('mark_dark')?.path ?? null,
  icon: marks.get('icon')?.path ?? null,
  accent: file.accent?.toLowerCase() ?? null,
  support: { email: file.support?.email ?? null, url: file.support?.url ?? null },
  links: {
    terms: file.links?.terms ?? null,
    privacy: file.links?.privacy ?? null,
    imprint: file.links?.imprint ?? null,
  },
  mail_footer: file.mail_footer ?? null,
});

function businessHoursOf({ time_zone = 'UTC', hours, holidays = [] }: StudioFile): BusinessHours | null {
  if (!hours && holidays.length === 0) return null;
  const [mon, tue, wed, thu, fri, sat, sun] = weekdays.map((day) => (hours ? (hours[day] ?? []) : allDay));
  return { time_zone, hours: { mon, tue, wed, thu, fri, sat, sun } as BusinessHours['hours'], holidays };
}

/** Accepts anything, even a wrong shape, which the schema reports. */
function* studioFaults(content: StudioFile | null, longest: number): Generator<Fault> {
  const { accent, links, support, time_zone, hours, holidays } = content ?? {};
  yield* accentFaults(accent);
  for (const [field, addresses] of Object.entries({ links, support })) yield* addressFaults(field, addresses);
  if (typeof time_zone === 'string' && !isTimeZone(time_zone))
    yield { path: ['time_zone'], message: `"${time_zone}" is no time zone such as Europe/Berlin` };
  if (typeof hours === 'object' && hours !== null) yield* hoursFaults(hours, longest);
  const days: unknown[] = Array.isArray(holidays) ? holidays : [];
  const seen = new Set<unknown>();
  for (const [i, date] of days.entries()) {
    if (!isDate(date)) yield { path: ['holidays', i], message: `"${String(date)}" is no day of the calendar` };
    if (seen.has(date)) yield { path: ['holidays', i], message: `"${String(date)}" stands here twice` };
    seen.add(date);
  }
}

function* accentFaults(accent: unknown): Generator<Fault> {
  if (accent === null) yield { path: ['accent'], message: 'begins a comment with #: put it in quotes' };
  if (typeof accent !== 'string' || !accentColor.test(accent)) return;
  const fault = accentFault(accent);
  if (fault) yield { path: ['accent'], message: fault.message };
}

/** Accepts anything, even a wrong shape. */
function* addressFaults(field: string, addresses: unknown): Generator<Fault> {
  if (typeof addresses !== 'object' || addresses === null) return;
  for (const [name, address] of Object.entries(addresses))
    if (page.test(String(address)) && !URL.canParse(String(address)))
      yield { path: [field, name], message: 'is no address that a browser can open' };
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
