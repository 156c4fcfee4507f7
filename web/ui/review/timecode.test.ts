import { expect, it } from 'vitest';
import { sayTimecode } from './timecode.ts';

const whole = { start: 900_000, rate: 25, nominal: 25, isDropFrame: false };
const drop = (start: number) => ({ start, rate: 30_000 / 1_001, nominal: 30, isDropFrame: true });

it('counts frames from the start of the file', () => {
  expect([0, 2.02, 3599.99].map((time) => sayTimecode(whole, time))).toEqual([
    '10:00:00:00',
    '10:00:02:00',
    '10:59:59:24',
  ]);
});

it('begins again after a day', () => {
  expect(sayTimecode({ ...whole, start: 24 * 90_000 - 1 }, 0.05)).toBe('00:00:00:00');
});

it('leaves out two numbers each minute, but not each tenth', () => {
  const middle = (frame: number) => ((frame + 0.5) * 1_001) / 30_000;
  const said = [0, 1_799, 1_800, 17_981, 17_982, 107_892].map((frame) => sayTimecode(drop(0), middle(frame)));
  expect(said).toEqual(['00:00:00;00', '00:00:59;29', '00:01:00;02', '00:09:59;29', '00:10:00;00', '01:00:00;00']);
  expect(sayTimecode(drop(1_790), middle(10))).toBe('00:01:00;02');
});

it('leaves out four of 60', () => {
  const code = { start: 3_599, rate: 60_000 / 1_001, nominal: 60, isDropFrame: true };
  expect([0, 0.02].map((time) => sayTimecode(code, time))).toEqual(['00:00:59;59', '00:01:00;04']);
});
