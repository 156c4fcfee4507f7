/** When each frame of a film begins, and when the last one ends, in seconds. */
export type Frames = Float64Array;

/** The frame that a film shows at a time. */
export function frameAt(frames: Frames, time: number): number {
  let [first, last] = [0, frames.length - 2];
  while (first < last) {
    const middle = Math.ceil((first + last) / 2);
    if ((frames[middle] ?? 0) <= time) first = middle;
    else last = middle - 1;
  }
  return first;
}

/** The frame with this start, as a browser tells it. Null if it counts differently than the index. */
export function frameFrom(frames: Frames, start: number): number | null {
  const frame = frameAt(frames, start + tolerance);
  return Math.abs((frames[frame] ?? 0) - start) < tolerance ? frame : null;
}
const tolerance = 0.001;

/** A time in the middle of a frame, in the thousandths that a place can have. */
export function middleOf(frames: Frames, frame: number): number {
  const at = Math.min(Math.max(frame, 0), frames.length - 2);
  return thousandths(((frames[at] ?? 0) + (frames[at + 1] ?? 0)) / 2);
}

/** "23.976 frames a second". */
export function sayRate(frames: Frames): string {
  const count = frames.length - 1;
  const [first, last] = [frames[0] ?? 0, frames[count] ?? 0];
  const isEven = frames.every((start, at) => Math.abs(start - first - (at * (last - first)) / count) < tolerance * 2);
  return isEven ? `${thousandths(count / (last - first))} frames a second` : 'a variable rate';
}

export const thousandths = (value: number): number => Math.round(value * 1_000) / 1_000;

type Show = (time: number) => Promise<number>;
/** Seconds: the first guess of a length, and a step over the edge of a frame. */
const longest = 0.05;
const edge = 0.0015;
const mostTries = 240;

/**
 * Where the frame after or before the one at `from` begins, in a film without an index: the browser tells
 * only which frame it shows at a time. If a step is longer than the shortest so far, this looks in between.
 */
export async function neighborOf(from: number, by: 1 | -1, shortest: number, show: Show): Promise<number> {
  if (by < 0) return from <= edge ? from : show(from - edge);
  const width = Math.min(shortest, longest);
  let next = from;
  for (let tries = 1; tries < mostTries && next <= from + edge; tries++) next = await show(from + tries * width + edge);
  if (Math.abs(next - from - shortest) < shortest / 10) return next;
  for (let tries = 0; tries < mostTries; tries++) {
    const before = await show(next - edge);
    if (before <= from + edge || before >= next) break;
    next = before;
  }
  return next;
}
