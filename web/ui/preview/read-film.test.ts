import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readFilm } from './read-film.ts';

const bytesOf = (name: string) => readFileSync(new URL(`../../e2e/fixtures/films/${name}`, import.meta.url));

/** Reads a film in memory and counts its requests. */
async function read(bytes: Uint8Array<ArrayBuffer>) {
  const requests: [number, number][] = [];
  const film = await readFilm(async (from, length) => {
    requests.push([from, length]);
    return new DataView(bytes.slice(from, from + length).buffer);
  });
  return { film, requests };
}
const filmOf = async (name: string) => (await read(Uint8Array.from(bytesOf(name)))).film;

const atom = (type: string, body: Uint8Array) =>
  Uint8Array.from(Buffer.concat([Uint8Array.from([...word(body.length + 8), ...Buffer.from(type)]), body]));
const word = (value: number): number[] => [24, 16, 8, 0].map((by) => (value >>> by) & 255);

describe('the index of a film', () => {
  it('names codecs, and has every frame of constant and variable rates', async () => {
    expect(await filmOf('hevc-with-sound.mov')).toMatchObject({ picture: 'H.265', sound: 'AAC', timecode: null });
    const { frames } = (await filmOf('frames-23976.mp4'))!;
    expect(frames).toHaveLength(73);
    expect([frames![1], frames![72]]).toEqual([1001 / 24000, (72 * 1001) / 24000]);
    const variable = (await filmOf('frames-variable.mp4'))!.frames!;
    const begin = Array.from(variable.slice(0, 6), (time) => Math.round(time * 1_000));
    expect(begin).toEqual([0, 20, 60, 120, 220, 240]);
  });

  it('counts from where a delayed film is first seen', async () => {
    expect((await filmOf('frames-delayed.mp4'))!.frames![0]).toBe(0.5);
  });

  it('reads the timecode from its own track, with dropped numbers', async () => {
    expect((await filmOf('starts-at-ten-hours.mov'))!.timecode).toMatchObject({ start: 900_000, isDropFrame: false });
    const { timecode } = (await filmOf('frames-2997-drop.mov'))!;
    expect(timecode).toMatchObject({ nominal: 30, isDropFrame: true, start: 1_790 });
    expect(timecode!.rate).toBeCloseTo(29.97, 3);
  });

  it('is read behind large pictures with few bytes, whatever the size of the film', async () => {
    const film = Uint8Array.from(bytesOf('frames-23976.mp4'));
    const moov = film.subarray(Buffer.from(film).indexOf('moov') - 4);
    const { film: index, requests } = await read(
      Uint8Array.from(Buffer.concat([atom('mdat', new Uint8Array(900_000)), moov])),
    );
    expect(index!.frames).toHaveLength(73);
    expect(requests).toEqual([
      [0, 65_536],
      [900_008, 65_536],
    ]);
  });
});

describe('a file that is wrong', () => {
  it('has no index if none is there, or if it is too large to be fetched', async () => {
    expect((await read(atom('free', new Uint8Array(2_000)))).film).toBeNull();
    const large = Uint8Array.from([...word(30_000_000), ...Buffer.from('moov'), ...new Uint8Array(100)]);
    const { film, requests } = await read(large);
    expect([film, requests.length]).toEqual([null, 1]);
  });

  it('never makes the page count or wait without end', async () => {
    const film = Uint8Array.from(bytesOf('frames-23976.mp4'));
    const at = Buffer.from(film).indexOf('stts');
    // A run of four billion or of too many frames, and a table of four billion runs.
    for (const [offset, value] of [
      [12, 0xffffffff],
      [12, 900_000],
      [8, 0xffffffff],
    ] as const) {
      const broken = Uint8Array.from(film);
      broken.set(word(value), at + offset);
      const index = await read(broken).then(
        ({ film }) => film?.frames ?? null,
        () => null,
      );
      expect(index).toBeNull();
    }
    const loops = Uint8Array.from([
      ...atom('free', new Uint8Array(60)),
      ...word(4),
      ...Buffer.from('free'),
      ...word(0),
    ]);
    expect((await read(loops)).film).toBeNull();
  });

  it('is refused or read, wherever a byte of its index is wrong', async () => {
    const film = Uint8Array.from(bytesOf('frames-2997-drop.mov'));
    const from = Buffer.from(film).indexOf('moov');
    const began = performance.now();
    for (let at = from; at < film.length; at += 11)
      for (const value of [0, 0xff]) {
        const broken = Uint8Array.from(film);
        broken[at] = value;
        const outcome = await read(broken).catch((error: unknown) => error);
        expect(outcome instanceof RangeError || 'film' in (outcome as object)).toBe(true);
      }
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});
