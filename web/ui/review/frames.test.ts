import { expect, it } from 'vitest';
import { frameAt, frameFrom, middleOf, neighborOf, sayRate } from './frames.ts';

const at2997 = Float64Array.from({ length: 31 }, (_, frame) => (frame * 1_001) / 30_000);
const variable = Float64Array.from([0.5, 0.52, 0.56, 0.62, 0.72, 0.74]);

it('finds the frame of a time, before the first and after the last too', () => {
  expect([0, 0.033, 0.034, 0.5, 9].map((time) => frameAt(at2997, time))).toEqual([0, 0, 1, 14, 29]);
  expect([0, 0.519, 0.7, 0.8].map((time) => frameAt(variable, time))).toEqual([0, 0, 3, 4]);
});

it('takes the start that a browser tells in whole microseconds', () => {
  expect(frameFrom(at2997, 0.033366)).toBe(1);
  expect(frameFrom(at2997, 0.033)).toBe(1);
});

it('does not count with an index that the browser does not follow', () => {
  expect(frameFrom(at2997, 0.05)).toBeNull();
});

it('puts the middle of a frame into it, in thousandths', () => {
  for (let frame = 0; frame < 30; frame++) expect(frameAt(at2997, middleOf(at2997, frame))).toBe(frame);
  expect([middleOf(variable, 3), middleOf(variable, -2), middleOf(variable, 7)]).toEqual([0.67, 0.51, 0.73]);
});

it('says the rate of a film, if it has one', () => {
  expect([at2997, variable, Float64Array.from([0, 0.04, 0.08])].map(sayRate)).toEqual([
    '29.97 frames a second',
    'a variable rate',
    '25 frames a second',
  ]);
});

/** A browser that shows the frames of a film and tells where they begin. */
const showIn = (frames: Float64Array) => (time: number) => Promise.resolve(frames[frameAt(frames, time)] ?? 0);

it('finds each neighbor in a film without an index', async () => {
  for (const frames of [at2997, variable, Float64Array.from([0, 0.008, 0.017, 0.025, 0.4, 0.41, 0.5])]) {
    const last = frames.length - 2;
    let shortest = Infinity;
    for (let frame = 0; frame < last; frame++) {
      const [from, to] = [frames[frame] ?? 0, frames[frame + 1] ?? 0];
      expect(await neighborOf(from, 1, shortest, showIn(frames))).toBe(to);
      expect(await neighborOf(to, -1, shortest, showIn(frames))).toBe(from);
      shortest = Math.min(shortest, to - from);
    }
    const end = frames[last] ?? 0;
    expect(await neighborOf(end, 1, 0.04, showIn(frames))).toBe(end);
  }
});
