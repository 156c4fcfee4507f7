import type { Timecode } from '../preview/film-index.ts';

/** "10:00:02:00"; the last part counts frames, after a semicolon if numbers are dropped. */
export function sayTimecode(code: Timecode, time: number): string {
  const { rate, nominal, isDropFrame } = code;
  const counted = code.start + Math.floor(time * rate + 0.0001);
  const number = isDropFrame ? withDropped(counted, nominal) : counted;
  const seconds = Math.floor(number / nominal);
  const [hours, minutes] = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60];
  const clock = [hours, minutes, seconds % 60].map(two).join(':');
  return `${clock}${isDropFrame ? ';' : ':'}${two(number % nominal)}`;
}

const two = (value: number) => String(value).padStart(2, '0');

/** Drop-frame: each minute but every tenth skips its first two numbers of 30, to keep up with the clock. */
function withDropped(frame: number, nominal: number): number {
  const dropped = Math.round(nominal / 15);
  const minute = nominal * 60 - dropped;
  const ten = minute * 10 + dropped;
  const [tens, rest] = [Math.floor(frame / ten), frame % ten];
  const minutes = rest < dropped ? 0 : Math.floor((rest - dropped) / minute);
  return frame + dropped * (9 * tens + minutes);
}
