import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bytesOf,
  newDeliverable,
  newFile,
  openTestStorage,
  presign,
  reachable,
  someBytes,
  type TestStorage,
  unknownFile,
} from '../../test/support/files.ts';
import { newCustomer, newJobIn, createStudio, post, type Studio } from '../../test/support/jobs.ts';
import { hasProof } from '../../test/support/proof.ts';
import { blackPng, colourAt, frame, twoColours } from '../../test/support/pictures.ts';
import type { As } from '../../test/support/harness.ts';

let storage: TestStorage;
let studio: Studio;
beforeAll(async () => {
  storage = await openTestStorage(hasProof ? 's3' : 'file');
  studio = await createStudio(storage.env);
});
afterAll(async () => {
  await studio?.service.close();
  await storage?.close();
});

const newVideo = async () =>
  (await newFile(studio.service, studio.key, someBytes(), { content_type: 'video/mp4' })).id as string;
const send = (id: string, jpeg: unknown, as: As = studio.key) =>
  post(studio.service, as, `/api/v1/files/${id}/poster`, { jpeg });
const posters = async () => (await storage.keys()).filter((key) => key.startsWith('posters/'));

test('201: the frame, encoded again; another one replaces it', async () => {
  const id = await newVideo();
  const before = (await posters()).length;
  const exif = { IFD0: { Copyright: 'secret place' } };
  const photo = await twoColours(2_000, 1_000).jpeg().withExif(exif).toBuffer();
  const first = await send(id, photo.toString('base64'));
  expect([first.status, first.headers.get('location')]).toEqual([201, `/api/v1/files/${id}`]);
  expect(first.body.file).toMatchObject({ id, poster_status: 'made' });
  const picture = await bytesOf(await fetch(reachable(studio.service, first.body.file.poster)));
  expect(await sharp(picture).metadata()).toMatchObject({ format: 'webp', width: 1_024, height: 512 });
  expect(await colourAt(picture, 0.5, 0.2)).toBe('red');
  expect(picture.includes('secret place')).toBe(false);

  const second = await send(id, await frame());
  expect(second.body.file.poster).not.toBe(first.body.file.poster);
  expect((await posters()).length).toBe(before + 1);
  expect((await fetch(reachable(studio.service, first.body.file.poster))).status).toBe(404);
  const read = await studio.service.call('GET', `/api/v1/files/${id}`, { as: studio.key });
  expect(read.body.file.poster).toBe(second.body.file.poster);
});

test('201 again with the same Idempotency-Key: one poster, whose URL is signed again', async () => {
  const id = await newVideo();
  const before = (await posters()).length;
  const once = { jpeg: await frame() };
  const path = `/api/v1/files/${id}/poster`;
  const sent = () => post(studio.service, studio.key, path, once, 'poster-once');
  const answers = await Promise.all([sent(), sent(), sent()]);
  for (const { status, body } of [...answers, await sent()]) expect([status, body]).toEqual([201, answers[0]?.body]);
  expect((await posters()).length).toBe(before + 1);
  expect((await fetch(reachable(studio.service, answers[0]?.body.file.poster))).status).toBe(200);
  const { db } = studio.service.context;
  const stored = await db.selectFrom('idempotency_keys').selectAll().where('key', '=', 'poster-once').execute();
  expect(JSON.stringify(stored)).not.toContain('signature');
});

test('404 file_not_found: unknown, another account’s, and the studio’s own', async () => {
  const { key } = await newCustomer(studio.service);
  const job = await newJobIn(studio, 'running');
  const video = { content_type: 'video/mp4' };
  const deliverable = await newDeliverable(studio.service, studio.operator.token, job, someBytes(), video);
  const jpeg = await frame();
  for (const { status, body } of [
    await send(unknownFile, jpeg),
    await send('x', jpeg),
    await send(await newVideo(), jpeg, key),
    await send(deliverable.id, jpeg),
  ])
    expect([status, body.error.code]).toEqual([404, 'file_not_found']);
});

test('409 upload_incomplete: before the video is there, and after it was deleted', async () => {
  const { body } = await presign(studio.service, studio.key, someBytes(), { content_type: 'video/webm' });
  const early = await send(body.file.id, await frame());
  const id = await newVideo();
  await studio.service.call('DELETE', `/api/v1/files/${id}`, { as: studio.key });
  const late = await send(id, await frame());
  for (const answer of [early, late])
    expect([answer.status, answer.body.error.code]).toEqual([409, 'upload_incomplete']);
  expect(late.body.error.message).toBe('This file is deleted.');
});

test('413 body_too_large: a body of over 3 MiB', async () => {
  const { status, body } = await send(await newVideo(), 'a'.repeat(3 * 1024 ** 2));
  expect([status, body.error.code]).toEqual([413, 'body_too_large']);
});

test('422 invalid_request: no JPEG, a broken or a hostile one, one byte too many', async () => {
  const id = await newVideo();
  const jpeg = Buffer.from(await frame(), 'base64');
  const noise = await sharp(randomBytes(900 * 600 * 3), { raw: { width: 900, height: 600, channels: 3 } })
    .jpeg({ quality: 70 })
    .toBuffer();
  expect(noise.length).toBeLessThan(512 * 1024);
  const endless = Buffer.from(jpeg);
  const header = endless.indexOf(Buffer.from('ffc0', 'hex'));
  endless.writeUInt16BE(65_500, header + 5);
  endless.writeUInt16BE(65_500, header + 7);
  const bad = {
    'not base64': 'héllo',
    text: Buffer.from('not a picture').toString('base64'),
    png: blackPng(10, 10).toString('base64'),
    'cut off': noise.subarray(0, noise.length / 2).toString('base64'),
    'four billion pixels': endless.toString('base64'),
    'one byte too many': Buffer.concat([jpeg, Buffer.alloc(512 * 1024 + 1 - jpeg.length)]).toString('base64'),
  };
  for (const [name, text] of Object.entries(bad)) {
    const { status, body } = await send(id, text);
    expect([name, status, body.error?.code]).toEqual([name, 422, 'invalid_request']);
  }
  const most = Buffer.concat([jpeg, Buffer.alloc(512 * 1024 - jpeg.length)]).toString('base64');
  expect((await send(id, most)).status).toBe(201);
});

test('422 unsupported_file: the service draws pictures and PDFs itself', async () => {
  const { id } = await newFile(studio.service, studio.key, blackPng(10, 10));
  const { status, body } = await send(id, await frame());
  expect([status, body.error.code]).toEqual([422, 'unsupported_file']);
});

test('503 service_unavailable: a storage that is down keeps the earlier poster', async () => {
  const id = await newVideo();
  const { body } = await send(id, await frame());
  await storage.down();
  const { status } = await send(id, await frame());
  await storage.up();
  expect(status).toBe(503);
  expect((await fetch(reachable(studio.service, body.file.poster))).status).toBe(200);
});
