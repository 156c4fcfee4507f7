import { expect, test } from 'vitest';
import { readOutput } from './draw-poster.ts';

const webp = Buffer.from('RIFF\0\0\0\0WEBPVP8 ');
function written(width: number, height: number, picture: Buffer = webp): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(height, size.writeUInt32BE(width));
  return Buffer.concat([size, picture]);
}

test('reads width, height and poster', () => {
  expect(readOutput(written(300_000, 1))).toEqual({ size: { width: 300_000, height: 1 }, picture: webp });
});

test.each([
  ['zeros, as for vectors', 0, 0],
  ['a width alone', 10, 0],
  ['a height alone', 0, 10],
  ['a side beyond all formats', 300_001, 1],
  ['a side beyond what the column takes', 1, 2 ** 32 - 1],
])('no size: %s', (_, width, height) => {
  expect(readOutput(written(width, height))).toEqual({ size: null, picture: webp });
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a page', Buffer.from('<!doctype html><script>')],
  ['another RIFF', Buffer.from('RIFF\0\0\0\0WAVEfmt ')],
  ['too many bytes', Buffer.concat([webp, Buffer.alloc(2 * 1024 ** 2)])],
])('no poster: %s', (_, picture) => {
  expect(readOutput(written(10, 10, picture))).toEqual({ size: { width: 10, height: 10 }, picture: null });
});

test('nothing of an output that ends before the size', () => {
  expect(readOutput(Buffer.alloc(7))).toEqual({ size: null, picture: null });
});
