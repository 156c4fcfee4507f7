/**
 * Where in a file a comment points, as a fragment of the standards: `xywh=percent:x,y,w,h` and `t=` of W3C
 * Media Fragments, `page=` of RFC 8118, `line=` of RFC 5147. Without a schema library, for pages too.
 */
import { isFilm, isPicture } from '../files/file-types.ts';

/** In percent of the picture, page or frame. `width` and `height` are 0 for a point. */
export type Box = { x: number; y: number; width: number; height: number };
export type Place = {
  /** From 1. */
  page?: number;
  /** Seconds from the start. Without `end` a moment. */
  time?: { start: number; end?: number };
  box?: Box;
  /** Positions between lines: 0 is before the first line. Without `end` a position. */
  lines?: { start: number; end?: number };
};

const maxPage = 100_000;
const maxSeconds = 86_400;
const maxLine = 10_000_000;

const whole = '(0|[1-9]\\d{0,7})';
const decimal = '((?:0|[1-9]\\d{0,5})(?:\\.\\d{1,3})?)';
const forms = {
  page: new RegExp(`^${whole}$`),
  t: new RegExp(`^${decimal}(?:,${decimal})?$`),
  xywh: new RegExp(`^percent:${decimal},${decimal},${decimal},${decimal}$`),
  line: new RegExp(`^${whole}(?:,${whole})?$`),
};
type Part = keyof typeof forms;
const isPart = (name: string): name is Part => Object.hasOwn(forms, name);

const examples: Record<Part, string> = {
  page: 'page=2',
  t: 't=12.5 or t=12.5,20, with at most three decimals',
  xywh: 'xywh=percent:10,20.5,30,0, with at most three decimals',
  line: 'line=10,12',
};

/** What is wrong with a fragment, as the message of a detail. */
export type PlaceFault = { fault: string };
export const isFault = (place: Place | PlaceFault): place is PlaceFault => 'fault' in place;

/** Reads a fragment strictly: each part once, in any order, with numbers inside their bounds. */
export function readPlace(text: string): Place | PlaceFault {
  const place: Place = {};
  const names = new Set<string>();
  for (const part of text.split('&')) {
    const [name = '', value = ''] = part.split('=', 2);
    if (!isPart(name) || part !== `${name}=${value}`)
      return { fault: 'must be parts page=, t=, xywh=percent: or line=, joined with &' };
    if (names.has(name)) return { fault: `must not repeat ${name}=` };
    names.add(name);
    const form = forms[name].exec(value);
    if (!form) return { fault: `must be written as in ${examples[name]}` };
    const fault = addPart(
      place,
      name,
      form.slice(1).flatMap((number: string | undefined) => (number === undefined ? [] : [Number(number)])),
    );
    if (fault) return { fault };
  }
  return place;
}

function addPart(place: Place, part: Part, numbers: number[]): string | null {
  const [first = 0, second, width = 0, height = 0] = numbers;
  if (part === 'page') {
    place.page = first;
    return first >= 1 && first <= maxPage ? null : `must have a page from 1 to ${maxPage}`;
  }
  if (part === 'xywh') {
    const y = second ?? 0;
    place.box = { x: first, y, width, height };
    return isWithin(first, width) && isWithin(y, height) ? null : 'must have x + w and y + h of at most 100 percent';
  }
  const range = { start: first, ...(second === undefined || second === first ? {} : { end: second }) };
  if (second !== undefined && second < first) return `must not end before it starts: ${part}=start,end`;
  if (part === 't') {
    place.time = range;
    return (second ?? first) <= maxSeconds ? null : `must have a time of at most ${maxSeconds} seconds`;
  }
  place.lines = range;
  return (second ?? first) <= maxLine ? null : `must have a line of at most ${maxLine}`;
}

/** No sum of two numbers with three decimals that makes 100 is rounded to more. */
const isWithin = (start: number, length: number): boolean => start + length <= 100;

/** Rounded to the three decimals that a fragment may have. */
const shown = (number: number): string => String(Math.round(number * 1000) / 1000);
const shownRange = ({ start, end }: { start: number; end?: number }): string =>
  end === undefined ? shown(start) : `${shown(start)},${shown(end)}`;

/** The canonical fragment: page or time first, without needless zeros. */
export const writePlace = ({ page, time, box, lines }: Place): string =>
  [
    page === undefined ? [] : [`page=${page}`],
    time === undefined ? [] : [`t=${shownRange(time)}`],
    box === undefined ? [] : [`xywh=percent:${[box.x, box.y, box.width, box.height].map(shown).join(',')}`],
    lines === undefined ? [] : [`line=${shownRange(lines)}`],
  ]
    .flat()
    .join('&');

/** The parts that files of this type have; none for types that nobody can point into. */
export function partsOf(contentType: string): readonly Part[] {
  if (contentType === 'application/pdf') return ['page', 'xywh'];
  if (isPicture(contentType)) return ['xywh'];
  if (isFilm(contentType)) return ['t', 'xywh'];
  if (contentType.startsWith('audio/')) return ['t'];
  return contentType.startsWith('text/') || contentType === 'application/json' ? ['line'] : [];
}

const partNames: [Part, keyof Place][] = [
  ['page', 'page'],
  ['t', 'time'],
  ['xywh', 'box'],
  ['line', 'lines'],
];

/** Why a file of this type has no such place; null if it has. */
export function refusePlace(place: Place, contentType: string): string | null {
  const allowed = partsOf(contentType);
  const [wrong] = partNames.filter(([part, field]) => place[field] !== undefined && !allowed.includes(part));
  if (wrong) return `has ${wrong[0]}=, which a file of type ${contentType} does not have`;
  if (contentType === 'application/pdf' && place.box && place.page === undefined)
    return 'must name the page before xywh=, as in page=2&xywh=percent:10,20,30,40';
  return null;
}

/** The lines that a place covers, counted from 1 as editors do. A position stands before its line. */
export const linesOf = ({ start, end }: { start: number; end?: number }): { first: number; last: number } => ({
  first: start + 1,
  last: end ?? start + 1,
});
