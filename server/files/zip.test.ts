import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { bytesOfZip, zipOf } from './zip.ts';

const at = new Date('2026-11-30T10:00:00Z');
const contents = Buffer.from('some bytes');

test('the number of bytes is right for 500 files, also with names so long that the list has over 64 kB', async () => {
  for (const length of [1, 200]) {
    const entries = Array.from({ length: 500 }, (_, n) => ({ name: `${'n'.repeat(length)}${n}.png`, bytes: 10, at }));
    const { bytes, stream } = zipOf(entries, async () => Readable.from([contents]));
    expect((await buffer(stream)).length).toBe(bytes);
    expect(bytesOfZip(entries)).toBe(bytes);
  }
});

test('a stream with fewer or more bytes than its entry says is a fault', async () => {
  for (const bytes of [9, 11]) {
    const { stream } = zipOf([{ name: 'a.png', bytes, at }], async () => Readable.from([contents]));
    await expect(buffer(stream)).rejects.toThrow();
  }
});

test('a fault of a stream is one of the zip', async () => {
  const broken = async () =>
    new Readable({
      read() {
        this.destroy(new Error('The disk is gone.'));
      },
    });
  await expect(buffer(zipOf([{ name: 'a.png', bytes: 10, at }], broken).stream)).rejects.toThrow('The disk is gone.');
});

test('an object that is opened when its reader has left is closed', async () => {
  const opening = Promise.withResolvers<Readable>();
  const { stream } = zipOf([{ name: 'a.png', bytes: 10, at }], () => opening.promise);
  stream.resume().destroy();
  const object = new Readable({ read() {} });
  opening.resolve(object);
  await expect.poll(() => object.destroyed).toBe(true);
});
