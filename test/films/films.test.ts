import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeViewingCopies } from '../../server/files/films/make-viewing-copies.ts';
import { makePosters } from '../../server/files/make-posters.ts';
import { bytesOf, newFile, openTestStorage, reachable, type TestStorage } from '../support/files.ts';
import { createStudio, type Studio, uuidOf } from '../support/jobs.ts';
import { ffmpeg, inFolder, makeFilm, readFilm, turned } from './support.ts';

let storage: TestStorage;
let studio: Studio;
beforeAll(async () => {
  storage = await openTestStorage('file');
  studio = await createStudio({ ...storage.env, FFMPEG: ffmpeg });
});
afterAll(async () => {
  await studio?.service.close();
  await storage?.close();
});

const going = new AbortController().signal;
const read = async (id: string) =>
  (await studio.service.call('GET', `/api/v1/files/${id}`, { as: studio.key })).body.file;

const newFilm = (content_type: string, bytes: Buffer) =>
  newFile(studio.service, studio.key, bytes, { content_type, file_name: 'film' });

const upload = async (content_type: string, bytes: Buffer) => drawn(await newFilm(content_type, bytes));

/** As 0.2.0 stored it, which did not look at first bytes. */
async function uploadOld(bytes: Buffer) {
  const file = await newFilm('video/mp4', Buffer.from('\0\0\0\x14ftypisom', 'latin1'));
  const { db } = studio.service.context;
  const row = await db.selectFrom('files').select('object_key').where('id', '=', uuidOf('file', file.id)).execute();
  await storage.write(row[0]?.object_key ?? '', bytes);
  return drawn(file);
}

async function drawn(file: Awaited<ReturnType<typeof newFilm>>) {
  expect(file).toMatchObject({ poster_status: 'pending', viewing_copy: 'pending' });
  await makePosters(studio.service.context, going);
  await makeViewingCopies(studio.service.context, going);
  return { ...(await read(file.id)), id: file.id as string };
}

async function copyOf(id: string) {
  const path = `/api/v1/files/${id}/download?copy=viewing`;
  const { headers } = await studio.service.call('GET', path, { as: studio.key });
  return bytesOf(await fetch(reachable(studio.service, headers.get('location') ?? '')));
}
const posterOf = async ({ poster }: { poster: string }) => bytesOf(await fetch(reachable(studio.service, poster)));

const foldersOfFilms = () => readdirSync(tmpdir()).filter((name) => name.startsWith('atelier-film-'));

test('a film that browsers play gets a poster and its size, and no copy', async () => {
  const bytes = await makeFilm('mp4', '-c:v libx264 -pix_fmt yuv420p -c:a aac');
  const file = await upload('video/mp4', bytes);
  expect(file).toMatchObject({ poster_status: 'made', viewing_copy: 'none', width: 320, height: 180 });
  expect(await sharp(await posterOf(file)).metadata()).toMatchObject({ format: 'webp', width: 320, height: 180 });
  expect(foldersOfFilms()).toEqual([]);
});

test.each([
  [
    'H.265 in MOV',
    'video/quicktime',
    'mov',
    '-c:v libx265 -x265-params log-level=none -pix_fmt yuv420p -tag:v hvc1 -c:a aac',
  ],
  [
    'H.265 with 10 bits in MP4',
    'video/mp4',
    'mp4',
    '-c:v libx265 -x265-params log-level=none -pix_fmt yuv420p10le -c:a aac',
  ],
  ['H.264 with 4:2:2', 'video/mp4', 'mp4', '-c:v libx264 -pix_fmt yuv422p -c:a aac'],
  ['ProRes with PCM', 'video/quicktime', 'mov', '-c:v prores_ks -c:a pcm_s16le'],
  [
    'H.264 with PCM, which only gets another sound',
    'video/quicktime',
    'mov',
    '-c:v libx264 -pix_fmt yuv420p -c:a pcm_s16le',
  ],
  ['MPEG-4 without sound', 'video/mp4', 'mp4', '-an -c:v mpeg4'],
  ['MPEG-2 in MXF', 'application/mxf', 'mxf', '-c:v mpeg2video -pix_fmt yuv422p -b:v 4M -c:a pcm_s16le -ar 48000'],
  ['H.264 in Matroska', 'video/x-matroska', 'mkv', '-c:v libx264 -pix_fmt yuv420p -c:a aac'],
  ['MPEG-4 in AVI', 'video/x-msvideo', 'avi', '-c:v mpeg4 -c:a mp3'],
  ['H.265 in MPEG-TS', null, 'ts', '-c:v libx265 -x265-params log-level=none -pix_fmt yuv420p -c:a aac'],
])('%s: a copy that browsers play, with the same frames at the same times', async (_, type, extension, options) => {
  const bytes = await makeFilm(extension, options);
  const file = await (type === null ? uploadOld(bytes) : upload(type, bytes));
  expect(file).toMatchObject({ poster_status: 'made', viewing_copy: 'made', width: 320, height: 180 });
  const copy = await copyOf(file.id);
  const { log, times } = await readFilm(copy);
  expect(log).toMatch(/Video: h264 .*yuv420p[(,].*320x180/);
  expect(times).toEqual((await readFilm(bytes)).times);
  if (!options.includes('-an')) expect(log).toMatch(/Audio: aac/);
  expect(copy.indexOf('moov')).toBeLessThan(copy.indexOf('mdat'));
  expect(foldersOfFilms()).toEqual([]);
});

test('a film of 24,000 / 1,001 frames a second that is larger than 1,920 pixels and turned keeps its frames', async () => {
  const upright = await makeFilm('mp4', '-an -c:v libx265 -x265-params log-level=none -pix_fmt yuv420p', {
    input: 'testsrc=size=2560x1440:rate=24000/1001',
    seconds: 1,
  });
  const file = await upload('video/mp4', await turned(upright));
  expect(file).toMatchObject({ poster_status: 'made', viewing_copy: 'made', width: 1440, height: 2560 });
  const { width, height } = await sharp(await posterOf(file)).metadata();
  expect([height, Math.abs(width - 576) <= 1]).toEqual([1024, true]);
  const { log, times } = await readFilm(await copyOf(file.id));
  expect(log).toContain('1080x1920');
  expect(times).toEqual((await readFilm(upright)).times);
});

test('the poster is no black frame, if there is another', async () => {
  const options = '-an -c:v libx264 -pix_fmt yuv420p -vf fade=in:st=1:d=1';
  const lateColour = await makeFilm('mp4', options, { input: 'color=red:size=320x180:rate=25', seconds: 4 });
  const black = await makeFilm('mp4', '-an -c:v libx264 -pix_fmt yuv420p', { input: 'color=black:size=320x180' });
  const redOf = async (bytes: Buffer) =>
    (await sharp(await posterOf(await upload('video/mp4', bytes))).stats()).channels[0]?.mean ?? 0;
  expect(await redOf(lateColour)).toBeGreaterThan(20);
  expect(await redOf(black)).toBeLessThan(5);
});

describe('a hostile film reads no other file and opens no connection', () => {
  const secret = 'file:///etc/passwd';
  let requests = 0;
  const server = createServer((_, answer) => {
    requests += 1;
    answer.end();
  }).listen(0);
  const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  afterAll(() => server.close());

  test.each([
    [
      'a playlist',
      () => `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${address()}/a.ts\n#EXTINF:1,\n${secret}\n#EXT-X-ENDLIST`,
    ],
    ['a script of concat', () => `ffconcat version 1.0\nfile '${secret}'\nfile '${address()}/a.mp4'`],
    ['an SDP', () => `v=0\nc=IN IP4 127.0.0.1\nm=video 5004 RTP/AVP 96\na=control:${address()}`],
    ['a DASH manifest', () => `<?xml version="1.0"?><MPD><BaseURL>${address()}/</BaseURL></MPD>`],
    ['a playlist behind the beginning of MP4', () => `\0\0\0\x08ftyp#EXTM3U\n#EXTINF:1,\n${address()}/a.ts`],
  ])('%s', async (_, text) => {
    const file = await uploadOld(Buffer.from(text(), 'latin1'));
    expect(file).toMatchObject({ poster_status: 'failed', viewing_copy: 'failed' });
    expect(requests).toBe(0);
  });

  test('a MOV whose track is another file', async () => {
    const film = await makeFilm('mov', '-an -c:v mjpeg');
    await inFolder(async (folder) => {
      const path = join(folder, 'other.mov');
      await writeFile(path, await makeFilm('mov', '-an -c:v mjpeg', { input: 'color=red:size=320x180' }));
      const file = await upload('video/quicktime', withAlias(film, path));
      expect(file).toMatchObject({ poster_status: 'failed', viewing_copy: 'failed' });
    });
  });
});

/** Makes the data reference of the first track one to another file, as old editors of QuickTime wrote it. */
function withAlias(film: Buffer, path: string): Buffer {
  const name = Buffer.from(`V${path.replaceAll('/', ':')}`);
  const alias = Buffer.alloc(154 + name.length + (name.length % 2) + 4);
  alias.write('\x01V', 10); // the volume
  alias.write('\x09other.mov', 50);
  alias.writeUInt32BE(0x10001, 130); // levels from and to
  alias.writeUInt16BE(2, 150); // the absolute path
  alias.writeUInt16BE(name.length, 152);
  name.copy(alias, 154);
  alias.writeInt16BE(-1, alias.length - 4);
  const entry = Buffer.concat([Buffer.alloc(4), Buffer.from('alis'), Buffer.alloc(4), alias]);
  entry.writeUInt32BE(entry.length);
  const at = film.indexOf('dref') - 4;
  const dref = Buffer.concat([Buffer.alloc(4), Buffer.from('dref'), Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), entry]);
  dref.writeUInt32BE(dref.length);
  const length = film.readUInt32BE(at);
  const more = dref.length - length;
  const changed = Buffer.concat([film.subarray(0, at), dref, film.subarray(at + length)]);
  for (const box of ['moov', 'trak', 'mdia', 'minf', 'dinf']) {
    const from = changed.lastIndexOf(box, at) - 4;
    changed.writeUInt32BE(changed.readUInt32BE(from) + more, from);
  }
  return changed;
}
