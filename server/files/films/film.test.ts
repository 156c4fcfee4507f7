import { expect, test } from 'vitest';
import { type Film, formatOf, isPlayed, readFilm } from './film.ts';

test.each([
  ['mov', Buffer.from('\0\0\0\x20ftypisom', 'latin1')],
  ['mov', Buffer.from('\0\0\0\x08wide', 'latin1')],
  ['matroska', Buffer.from('\x1a\x45\xdf\xa3\x01', 'latin1')],
  ['avi', Buffer.from('RIFF\x01\x02\x03\x04AVI LIST', 'latin1')],
  ['mxf', Buffer.from('\x06\x0e\x2b\x34\x02\x05', 'latin1')],
  ['mpegts', Buffer.concat([Buffer.from('G'), Buffer.alloc(187), Buffer.from('G')])],
  ['mpeg', Buffer.from('\0\0\x01\xba', 'latin1')],
  [null, Buffer.from('RIFF\x01\x02\x03\x04WAVEfmt ', 'latin1')],
  [null, Buffer.from('#EXTM3U\n#EXT-X-VERSION:3\nhttp://127.0.0.1/a.ts')],
  [null, Buffer.from('ffconcat version 1.0\nfile /etc/passwd')],
  [null, Buffer.from('subfile,,start,0,end,0,,:/etc/passwd')],
  [null, Buffer.alloc(0)],
])('a film is read as %s by how its bytes begin', (format, bytes) => {
  expect(formatOf(bytes)).toBe(format);
});

const log = (...streams: string[]) =>
  [
    "Input #0, mov,mp4,m4a,3gp,3g2,mj2, from 'film':",
    '  Metadata:',
    '    title           : Stream #0:0: Video: h264, yuv420p(tv), 1x1',
    '  Duration: 00:01:02.50, start: 0.000000, bitrate: 900 kb/s',
    ...streams.map((stream, at) => `  Stream #0:${at}[0x${at + 1}](und): ${stream}`),
  ].join('\n');

test('what ffmpeg says of a film: codecs, length, and the size with square pixels', () => {
  const text = log(
    'Video: hevc (Main 10) (hvc1 / 0x31637668), yuv420p10le(tv, bt709), 1440x1080 [SAR 4:3 DAR 16:9], 25 fps',
    'Audio: pcm_s24le (in24 / 0x34326E69), 48000 Hz, stereo, s32 (24 bit), 2304 kb/s',
  );
  expect(readFilm('mov', text)).toEqual({
    format: 'mov',
    picture: { codec: 'hevc', is420: false, width: 1920, height: 1080 },
    audio: 'pcm_s24le',
    seconds: 63,
  });
});

test('a film that is turned has the size of what is seen; a picture of its cover is none of the film', () => {
  const text = log(
    'Video: mjpeg (Baseline), yuvj420p(pc), 600x600 [SAR 1:1 DAR 1:1], 90k tbr (attached pic)',
    'Video: h264 (High) (avc1 / 0x31637661), yuv420p(tv), 1920x1080, 30 fps\n      displaymatrix: rotation of -90.00 degrees',
  );
  expect(readFilm('mov', text)?.picture).toEqual({ codec: 'h264', is420: true, width: 1080, height: 1920 });
  expect(readFilm('mov', 'film: Invalid data found when processing input')).toBeNull();
});

test.each([
  ['8000x64 [SAR 999990:1 DAR 9:1]', null],
  ['64x64 [SAR 4688:1 DAR 9:1]', null],
  ['60x64 [SAR 5000:1 DAR 9:1]', 300_000],
  ['none', null],
])('a film whose picture is %s: read only if its size can be one', (size, width) => {
  const text = log(`Video: h264 (High), yuv420p(tv), ${size}, 30 fps`, 'Audio: aac (LC), 48000 Hz, stereo');
  expect(readFilm('mov', text)?.picture?.width ?? null).toBe(width);
  expect(readFilm('mov', text) === null).toBe(width === null);
});

const film = (codec: string, audio: string | null, more: Partial<Film> & { is420?: boolean } = {}): Film => {
  const { is420 = true, ...others } = more;
  return { format: 'mov', picture: { codec, is420, width: 2, height: 2 }, audio, seconds: 1, ...others };
};

test.each([
  [true, 'H.264', film('h264', 'aac'), 'video/mp4'],
  [true, 'H.264 without sound', film('h264', null), 'video/quicktime'],
  [true, 'VP9 in WebM', film('vp9', 'opus', { format: 'matroska' }), 'video/webm'],
  [true, 'sound alone', film('', 'aac', { picture: null }), 'video/mp4'],
  [false, 'H.265', film('hevc', 'aac'), 'video/mp4'],
  [false, 'H.264 with 10 bits or 4:2:2', film('h264', 'aac', { is420: false }), 'video/mp4'],
  [false, 'H.264 with a sound that not all browsers play', film('h264', 'pcm_s16le'), 'video/quicktime'],
  [false, 'H.264 in Matroska', film('h264', 'aac', { format: 'matroska' }), 'video/webm'],
  [false, 'H.264 in MXF', film('h264', null, { format: 'mxf' }), 'video/mp4'],
  [false, 'a type that pages do not show', film('h264', 'aac'), 'video/x-m4v'],
])('browsers play it: %s for %s', (isIt, _, facts, type) => {
  expect(isPlayed(facts, type)).toBe(isIt);
});
