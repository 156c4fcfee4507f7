import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeViewingCopies } from '../../server/files/films/make-viewing-copies.ts';
import { makePosters } from '../../server/files/make-posters.ts';
import { bytesOf, newFile, openTestStorage, reachable, type TestStorage } from '../support/files.ts';
import { createStudio, type Studio } from '../support/jobs.ts';
import { ffmpeg, makeFilm, readFilm } from './support.ts';

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

async function upload(content_type: string, bytes: Buffer) {
  const file = await newFile(studio.service, studio.key, bytes, { content_type, file_name: 'film' });
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
  const bytes = makeFilm('mp4', '-c:v libx264 -pix_fmt yuv420p -c:a aac');
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
  ['H.265 turned upright', 'video/mp4', 'mp4', '-c:v libx265 -x265-params log-level=none -c:a aac'],
])('%s: a copy that browsers play, with the same frames at the same times', async (_, type, extension, options) => {
  const bytes = makeFilm(extension, options);
  const file = await upload(type, bytes);
  expect(file).toMatchObject({ poster_status: 'made', viewing_copy: 'made', width: 320, height: 180 });
  const copy = await copyOf(file.id);
  const { log, times } = readFilm(copy);
  expect(log).toMatch(/Video: h264 .*yuv420p[(,].*320x180/);
  expect(times).toEqual(readFilm(bytes).times);
  if (!options.includes('-an')) expect(log).toMatch(/Audio: aac/);
  expect(copy.indexOf('moov')).toBeLessThan(copy.indexOf('mdat'));
  expect(foldersOfFilms()).toEqual([]);
});
