import { expect, it } from 'vitest';
import { nameOfCodec, nameOfWav } from './codecs.ts';

it('names codecs as people do', () => {
  const codes = ['hvc1', 'apch', 'AVdn', 'rle ', 'alac', 'ac-3', 'Opus', 'samr'].map((code) => nameOfCodec(code, null));
  expect(codes).toEqual(['H.265', 'ProRes 422 HQ', 'DNxHD', 'QuickTime Animation', 'ALAC', 'AC-3', 'Opus', 'AMR']);
  expect([nameOfCodec('mp4v', 0x20), nameOfCodec('mp4v', 0x6c), nameOfCodec('mp4a', 0x6b)]).toEqual([
    'MPEG-4 Part 2',
    'Motion JPEG',
    'MP3',
  ]);
  expect([nameOfCodec('mp4a', 0x40), nameOfCodec('xd54', null), nameOfWav(2), nameOfWav(1)]).toEqual([
    'AAC',
    'XDCAM (MPEG-2)',
    'MS ADPCM',
    null,
  ]);
});

it('shows an unknown code only if it is plain', () => {
  expect([nameOfCodec('zz9x', null), nameOfCodec('<b>x', null)]).toEqual(['zz9x', null]);
});
