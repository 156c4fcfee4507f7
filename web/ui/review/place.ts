import { isFault, linesOf, readPlace, writePlace } from '../../../contract/review/place.ts';
import { thousandths } from './frames.ts';
import type { Point } from './zoom.ts';

/** In percent of the picture or page. `w` and `h` are 0 for a point. */
export type Box = { x: number; y: number; w: number; h: number };

/** Where a comment points, as people count: its `at` counts positions between lines. */
export type Place = {
  page?: number;
  box?: Box;
  /** Seconds. Without `to` a moment. */
  time?: { from: number; to?: number };
  /** From 1, both included. */
  lines?: { from: number; to: number };
};

/** Null for a comment on the whole file, or on a place that only a newer service knows. */
export function parsePlace(at: string | null): Place | null {
  const place = at === null ? null : readPlace(at);
  if (!place || isFault(place)) return null;
  const { page, time, box, lines } = place;
  const range = lines && linesOf(lines);
  return {
    page,
    time: time && { from: time.start, to: time.end },
    box: box && { x: box.x, y: box.y, w: box.width, h: box.height },
    lines: range && { from: range.first, to: range.last },
  };
}

/** The fragment that the API takes. */
export const fragmentOf = ({ page, time, box, lines }: Place): string =>
  writePlace({
    page,
    time: time && { start: thousandths(time.from), end: time.to === undefined ? undefined : thousandths(time.to) },
    box: box && { x: box.x, y: box.y, width: box.w, height: box.h },
    lines: lines && { start: lines.from - 1, end: lines.to },
  });

const hundredths = (value: number): number => Math.round(value * 100) / 100;

const within = (value: number, most: number): number => Math.min(Math.max(value, 0), most);

/** Rounded, and never beyond the picture. */
export function boxWithin({ x, y, w, h }: Box): Box {
  const [width, height] = [hundredths(within(w, 100)), hundredths(within(h, 100))];
  const [left, top] = [hundredths(within(x, 100 - width)), hundredths(within(y, 100 - height))];
  return { x: left, y: top, w: width, h: height };
}

/** Smaller drags are clicks. In percent. */
const smallest = 0.8;

/** From where the pointer went down to where it went up. */
export function boxBetween(from: Point, to: Point): Box {
  const [w, h] = [Math.abs(to.x - from.x), Math.abs(to.y - from.y)];
  if (w < smallest && h < smallest) return boxWithin({ ...from, w: 0, h: 0 });
  return boxWithin({ x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), w, h });
}

const steps: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The box after an arrow key, one percent further or ten with shift. Null for other keys. */
export function movedBox(box: Box, key: string, shift: boolean): Box | null {
  const step = steps[key];
  const far = shift ? 10 : 1;
  return step ? boxWithin({ ...box, x: box.x + step.x * far, y: box.y + step.y * far }) : null;
}

export const middle: Box = { x: 50, y: 50, w: 0, h: 0 };
