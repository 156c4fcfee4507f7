import type { Timecode } from '../preview/film-index.ts';
import { sayTime } from '../preview/length.ts';
import type { Box, Place } from './place.ts';
import { sayTimecode } from './timecode.ts';

const third = (percent: number): 0 | 1 | 2 => (percent < 100 / 3 ? 0 : percent < 200 / 3 ? 1 : 2);

/** "a point at the left, in the upper third", for those who do not see it. */
export function sayBox(box: Box): string {
  const shape = `a ${shapeOf(box)}`;
  const [column, row] = [third(box.x + box.w / 2), third(box.y + box.h / 2)];
  if (column === 1 && row === 1) return `${shape} in the middle`;
  const across = ['at the left', 'in the center', 'at the right'][column];
  const down = ['in the upper third', 'at half height', 'in the lower third'][row];
  return `${shape} ${across}, ${down}`;
}

/** "0:02 · 10:00:02:00" in a film with a timecode. */
const sayMoments = ({ from, to }: NonNullable<Place['time']>, code: Timecode | null) => {
  const range = (say: (time: number) => string) => (to === undefined ? say(from) : `${say(from)} to ${say(to)}`);
  return range(sayTime) + (code ? ` · ${range((time) => sayTimecode(code, time))}` : '');
};

const sayLines = ({ from, to }: NonNullable<Place['lines']>) =>
  from === to ? `line ${from}` : `lines ${from} to ${to}`;

const partsOf = (place: Place | null, sayShape: (box: Box) => string, code: Timecode | null): string[] => {
  const { page, time, lines, box } = place ?? {};
  return [
    page !== undefined && `page ${page}`,
    time && sayMoments(time, code),
    lines && sayLines(lines),
    box && sayShape(box),
  ].filter((part) => typeof part === 'string');
};

const shapeOf = ({ w, h }: Box): 'point' | 'region' => (w === 0 && h === 0 ? 'point' : 'region');

/** Everything about the place in words; empty for the whole file. */
export const sayPlace = (place: Place | null, code: Timecode | null = null): string =>
  partsOf(place, sayBox, code).join(', ');

/** What a list shows under a comment: short, because the pin shows the rest. */
export const sayPlaceShortly = (place: Place | null, code: Timecode | null = null): string =>
  partsOf(place, shapeOf, code).join(' · ');

/** "page 2, a point in menu.pdf"; the name alone for the whole file. */
export const sayPlaceIn = (place: Place | null, fileName: string, code: Timecode | null = null): string =>
  [partsOf(place, (box) => `a ${shapeOf(box)}`, code).join(', '), fileName].filter(Boolean).join(' in ');
