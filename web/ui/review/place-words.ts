import { sayTime } from '../preview/length.ts';
import type { Box, Place } from './place.ts';

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

const sayMoments = ({ from, to }: NonNullable<Place['time']>) =>
  to === undefined ? sayTime(from) : `${sayTime(from)} to ${sayTime(to)}`;

const sayLines = ({ from, to }: NonNullable<Place['lines']>) =>
  from === to ? `line ${from}` : `lines ${from} to ${to}`;

const partsOf = (place: Place | null, sayShape: (box: Box) => string): string[] => {
  const { page, time, lines, box } = place ?? {};
  return [
    page !== undefined && `page ${page}`,
    time && sayMoments(time),
    lines && sayLines(lines),
    box && sayShape(box),
  ].filter((part) => typeof part === 'string');
};

const shapeOf = ({ w, h }: Box): 'point' | 'region' => (w === 0 && h === 0 ? 'point' : 'region');

/** Everything about the place in words; empty for the whole file. */
export const sayPlace = (place: Place | null): string => partsOf(place, sayBox).join(', ');

/** What a list shows under a comment: short, because the pin shows the rest. */
export const sayPlaceShortly = (place: Place | null): string => partsOf(place, shapeOf).join(' · ');

/** "page 2, a point in menu.pdf"; the name alone for the whole file. */
export const sayPlaceIn = (place: Place | null, fileName: string): string =>
  [partsOf(place, (box) => `a ${shapeOf(box)}`).join(', '), fileName].filter(Boolean).join(' in ');
