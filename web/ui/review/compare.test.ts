import { expect, test } from 'vitest';
import { pinsOfPair, sameWidth, sayDifference, sayRounds, shownIn, sliderAfter } from './compare.ts';

test('pictures of different sizes get the same width', () => {
  expect(sameWidth({ width: 1200, height: 900 }, { width: 2400, height: 1000 })).toEqual({
    canvas: { width: 2400, height: 1800 },
    earlierHeight: 1800,
  });
});

test('the difference is said', () => {
  const size = { width: 2400, height: 1000 };
  expect(sayDifference(size, size)).toBe('');
  expect(sayDifference(size, { ...size, width: 1200 })).toBe('1,200 px narrower than before, fitted to the same width');
  expect(sayDifference(size, { ...size, height: 1010 })).toBe('10 px higher than before');
});

test('arrows move the slider by two percent, to the edge', () => {
  expect([sliderAfter(50, 'ArrowLeft'), sliderAfter(99, 'ArrowRight'), sliderAfter(1, 'ArrowLeft')]).toEqual([
    48, 100, 0,
  ]);
  expect(sliderAfter(50, 'n')).toBeNull();
});

const file = (id: string, file_name: string) => ({
  id,
  file_name,
  content_type: 'image/png',
  size_bytes: 9,
  status: 'uploaded',
  poster: null,
  url: null,
});
const delivery = (round: number, ...files: ReturnType<typeof file>[]) => ({
  round,
  label: `Delivery ${round + 1}`,
  files,
});
const first = delivery(0, file('logo-1', 'logo.png'));
const second = delivery(1, file('logo-2', 'logo.png'), file('sign-2', 'sign.png'));
const third = delivery(2, file('sign-3', 'sign.png'), file('logo-3', 'logo.png'));
const change = (id: string, round: number, fileId: string) => ({
  id,
  round,
  number: 1,
  fileId,
  fileName: '',
  place: null,
  text: '',
  author: 'Ada',
  isGuest: false,
  isDone: false,
  note: null,
});

test.each([
  [first, second, 'round 1'],
  [second, third, 'round 2'],
  [first, third, 'rounds 1 and 2'],
  [first, delivery(3), 'rounds 1 to 3'],
])('what was asked for between two deliveries is of $2', (earlier, later, words) => {
  expect(sayRounds(earlier, later)).toBe(words);
});

test('a change shows in the partner of the file that was commented on, whichever delivery that was', () => {
  const deliveries = [first, second, third];
  const shown = (round: number, fileId: string) => shownIn(change('a', round, fileId), deliveries, third)?.id;
  expect([shown(0, 'logo-1'), shown(1, 'logo-2'), shown(1, 'sign-2')]).toEqual(['logo-3', 'logo-3', 'sign-3']);
  expect(shown(0, 'gone')).toBeUndefined();
});

test('pins are those of the earlier file, and of a change between the two only while it is selected', () => {
  const changes = [change('a', 0, 'logo-1'), change('b', 1, 'logo-2')];
  const pair = { earlier: first.files[0]!, later: third.files[1]! };
  const pins = (selected: string | null) => pinsOfPair(changes, pair, selected).map(({ id }) => id);
  expect([pins(null), pins('a'), pins('b')]).toEqual([['a'], ['a'], ['a', 'b']]);
});
