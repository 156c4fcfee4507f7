import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bytesOf,
  newDeliverable,
  newFile,
  presign,
  reachable,
  someBytes,
  unknownFile,
} from '../../test/support/files.ts';
import { type As, createService, type Service } from '../../test/support/harness.ts';
import {
  sharedStudio,
  draft,
  makeMoves,
  newCustomer,
  newJobIn,
  post,
  type Studio,
  uuidOf,
} from '../../test/support/jobs.ts';
import { frame } from '../../test/support/pictures.ts';

let studio: Studio;
let service: Service;
beforeAll(async () => {
  studio = await sharedStudio();
  service = studio.service;
});

const bytes = someBytes();
const copy = (as: As, id: string, headers = {}) => service.call('POST', `/api/v1/files/${id}/copy`, { as, headers });

const contentOf = async (id: string) => {
  const { body } = await service.call('POST', `/api/v1/files/${id}/download`, { as: studio.key });
  return bytesOf(await fetch(reachable(service, body.download.url)));
};

test('201: a copy of a file of an earlier job belongs to a new job, and outlives the first', async () => {
  const file = await newFile(service, studio.key, bytes);
  await post(service, studio.key, '/api/v1/jobs', { ...draft, file_ids: [file.id] });
  const { status, body, headers } = await copy(studio.key, file.id);
  expect(status).toBe(201);
  expect(headers.get('location')).toBe(`/api/v1/files/${body.file.id}`);
  expect(body.file).toMatchObject({ file_name: file.file_name, purpose: file.purpose, status: 'uploaded' });
  expect(body.file).not.toHaveProperty('job_id');
  const again = await post(service, studio.key, '/api/v1/jobs', { ...draft, file_ids: [body.file.id] });
  expect(again.status).toBe(201);
  expect(await contentOf(body.file.id)).toEqual(bytes);
  expect(await contentOf(file.id)).toEqual(bytes);
});

test('201: deleting the original leaves the copy, and a delivered file becomes a reference', async () => {
  const file = await newFile(service, studio.key, bytes);
  const { body } = await copy(studio.key, file.id);
  await service.call('DELETE', `/api/v1/files/${file.id}`, { as: studio.key });
  expect(await contentOf(body.file.id)).toEqual(bytes);

  const job = await newJobIn(studio, 'running');
  const { id } = await newDeliverable(service, studio.operator.token, job, bytes);
  await post(service, studio.operator.token, `/api/operator/v1/jobs/${job}/submit`, { file_ids: [id] });
  expect((await copy(studio.key, id)).status).toBe(404);
  await makeMoves(studio, job, 'pass');
  expect((await copy(studio.key, id)).body.file).toMatchObject({ purpose: 'job_reference', uploaded_by: 'customer' });
});

test('201: the copy of a video has its poster, which outlives the original and its next poster', async () => {
  const { id } = await newFile(service, studio.key, bytes, { content_type: 'video/mp4', purpose: 'job_reference' });
  const sendPoster = async () =>
    (await post(service, studio.key, `/api/v1/files/${id}/poster`, { jpeg: await frame() })).body.file.poster as string;
  const { body: without } = await copy(studio.key, id);
  expect(without.file).toMatchObject({ poster: null, poster_status: 'none' });

  const poster = await sendPoster();
  await sql`update files set pixel_width = 640, pixel_height = 360 where id = ${uuidOf('file', id)}`.execute(
    service.context.db,
  );
  const { body } = await copy(studio.key, id);
  expect(body.file).toMatchObject({ poster, poster_status: 'made', width: 640, height: 360 });
  const picture = await bytesOf(await fetch(reachable(service, poster)));
  expect(await sendPoster()).not.toBe(poster);
  await service.call('DELETE', `/api/v1/files/${id}`, { as: studio.key });
  expect(await bytesOf(await fetch(reachable(service, poster)))).toEqual(picture);
  await service.call('DELETE', `/api/v1/files/${body.file.id}`, { as: studio.key });
  expect((await fetch(reachable(service, poster))).status).toBe(404);
});

test('201: a copy of a file of the brand kit has its poster, too', async () => {
  const { key } = await newCustomer(service, 'studio');
  const { id } = await newFile(service, key, bytes, { content_type: 'video/mp4', purpose: 'job_reference' });
  const { body: sent } = await post(service, key, `/api/v1/files/${id}/poster`, { jpeg: await frame() });
  const body = { facts: [], file_ids: [id] };
  expect((await service.call('PUT', '/api/v1/brand', { as: key, body })).status).toBe(200);
  const { poster } = sent.file;
  expect((await copy(key, id)).body.file).toMatchObject({ poster, poster_status: 'made' });
});

test('the same Idempotency-Key copies once, and leaves no second object', async () => {
  const file = await newFile(service, studio.key, bytes);
  const headers = { 'idempotency-key': randomUUID() };
  const answers = await Promise.all([1, 2, 3].map(() => copy(studio.key, file.id, headers)));
  const ids = answers.map(({ status, body }) => [status, body.file.id]);
  expect(new Set(ids.map(String)).size).toBe(1);
  expect((await copy(studio.key, file.id, headers)).headers.get('idempotent-replayed')).toBe('true');
});

test('503 service_unavailable: after a lost connection the row may be written, so the object stays for the sweep', async () => {
  const { db, storage } = service.context;
  const objects = async () => (await Array.fromAsync(storage.keysBefore(new Date(Date.now() + 60_000)))).length;
  const file = await newFile(service, studio.key, bytes);
  const before = await objects();
  await sql`create function die() returns trigger language plpgsql as $$
    begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`.execute(db);
  await sql`create trigger die before insert on files for each row execute function die()`.execute(db);
  const { status, body } = await copy(studio.key, file.id);
  await sql`drop function die cascade`.execute(db);
  expect([status, body.error.code]).toEqual([503, 'service_unavailable']);
  expect(await objects()).toBe(before + 1);
});

test('404 file_not_found: unknown, of another account, not uploaded yet, deleted', async () => {
  const { key } = await newCustomer(service);
  const file = await newFile(service, studio.key, bytes);
  const deleted = await newFile(service, studio.key, bytes);
  await service.call('DELETE', `/api/v1/files/${deleted.id}`, { as: studio.key });
  const answers = [
    await copy(studio.key, unknownFile),
    await copy(key, file.id),
    await copy(studio.key, (await presign(service, studio.key, bytes)).body.file.id),
    await copy(studio.key, deleted.id),
  ];
  for (const { status, body } of answers) expect([status, body.error.code]).toEqual([404, 'file_not_found']);
});

test('422 invalid_request: a bad Idempotency-Key', async () => {
  const file = await newFile(service, studio.key, bytes);
  const { status, body } = await copy(studio.key, file.id, { 'idempotency-key': 'x'.repeat(300) });
  expect([status, body.error.code]).toEqual([422, 'invalid_request']);
});

describe('a copy counts like an upload', () => {
  let small: Service;
  beforeAll(async () => void (small = await createService({ MAX_PENDING_UPLOADS: '1', MAX_STORED_BYTES: '1000' })));
  afterAll(() => small.close());
  const few = someBytes(100);
  const refusalOf = async (key: As, id: string) => {
    const { status, body } = await small.call('POST', `/api/v1/files/${id}/copy`, { as: key });
    return [status, body.error.code];
  };

  test('403 entitlement_required: a fourth file without a plan', async () => {
    const { key } = await newCustomer(small);
    const [file] = [await newFile(small, key, few), await newFile(small, key, few), await newFile(small, key, few)];
    expect(await refusalOf(key, file.id)).toEqual([403, 'entitlement_required']);
  });

  test('403 limit_reached: as many uploads as possible wait', async () => {
    const { key } = await newCustomer(small, 'studio');
    const file = await newFile(small, key, few);
    await presign(small, key, few);
    expect(await refusalOf(key, file.id)).toEqual([403, 'limit_reached']);
  });

  test('413 file_too_large: more bytes than the account may store', async () => {
    const { key } = await newCustomer(small, 'studio');
    const file = await newFile(small, key, someBytes(600));
    expect(await refusalOf(key, file.id)).toEqual([413, 'file_too_large']);
  });
});
