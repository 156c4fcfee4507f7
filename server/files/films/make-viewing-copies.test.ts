import { sql } from 'kysely';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  bytesOf,
  newDeliverable,
  newFile,
  openTestStorage,
  presign,
  reachable,
  type TestStorage,
} from '../../../test/support/files.ts';
import type { As } from '../../../test/support/harness.ts';
import {
  createStudio,
  makeMoves,
  newCustomer,
  newJobIn,
  post,
  sharedStudio,
  type Studio,
  uuidOf,
} from '../../../test/support/jobs.ts';
import { closeAccount, signUp } from '../../../test/support/people.ts';
import { newReviewLink } from '../../../test/support/review-links.ts';
import { standInFfmpeg, standInFilm } from '../../../test/support/stand-in-ffmpeg.ts';
import { checkObjects } from '../../check/check-objects.ts';
import { deleteExpiredFiles } from '../delete-expired-files.ts';
import { claimStorage } from '../installation.ts';
import { sweepOrphans } from '../sweep-storage.ts';
import { removeLeftFilms, runFfmpeg } from './film-process.ts';
import { giveUpFilms, makeViewingCopies } from './make-viewing-copies.ts';

const ffmpeg = standInFfmpeg();
let storage: TestStorage;
let studio: Studio;
beforeAll(async () => {
  storage = await openTestStorage('file');
  studio = await createStudio({ ...storage.env, FFMPEG: ffmpeg.path });
  expect(await claimStorage(studio.service.context)).toBeNull();
});
afterAll(async () => {
  await studio?.service.close();
  await storage?.close();
  await ffmpeg.remove();
});
/** Ends what earlier tests left pending. */
beforeEach(async () => {
  await sql`update files set viewing_status = 'none', viewing_due_at = null, viewing_attempts = 0
    where viewing_status = 'pending'`.execute(studio.service.context.db);
});

const going = new AbortController().signal;
const work = (limits: object = {}, stopped = going) => {
  const { context } = studio.service;
  return makeViewingCopies({ ...context, config: { ...context.config, ...limits } }, stopped);
};
const film = { content_type: 'video/quicktime', file_name: 'film.mov' };
const mpeg = { content_type: 'video/mpeg', file_name: 'film.mpg' };
const upload = async (what: string, as: As = studio.key, changes: object = {}): Promise<string> =>
  (await newFile(studio.service, as, standInFilm(what), { ...film, ...changes })).id;
const read = async (id: string, as: As = studio.key) =>
  (await studio.service.call('GET', `/api/v1/files/${id}`, { as })).body.file;
const rowOf = (id: string) =>
  studio.service.context.db
    .selectFrom('files')
    .selectAll()
    .where('id', '=', uuidOf('file', id))
    .executeTakeFirstOrThrow();
const ask = (id: string, as: As = studio.key, copy = 'viewing') =>
  studio.service.call('GET', `/api/v1/files/${id}/download?copy=${copy}`, { as });
const copies = async () => (await storage.keys()).filter((key) => key.startsWith('viewing/'));
const copied = async (what: string, as: As = studio.key, changes: object = {}) => {
  const id = await upload(what, as, changes);
  await work();
  expect(await read(id, as)).toMatchObject({ viewing_copy: 'made' });
  return id;
};
const foldersOfFilms = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`atelier-film-${hostname()}-${process.pid}-`));

test('303 to the copy of a film that browsers cannot play, with ranges; the film itself stays as it is', async () => {
  const id = await upload('h265 one');
  expect(await read(id)).toMatchObject({ viewing_copy: 'pending', poster_status: 'pending', width: null });
  expect(await ask(id)).toMatchObject({ status: 404, body: { error: { code: 'file_not_found' } } });
  await work();
  expect(await read(id)).toMatchObject({ viewing_copy: 'made', width: 320, height: 180 });
  const { status, headers } = await ask(id);
  expect(status).toBe(303);
  const url = reachable(studio.service, headers.get('location') ?? '');
  const answer = await fetch(url);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'video/mp4',
    'content-disposition': 'attachment; filename="film.mov (copy for viewing).mp4"',
    'x-content-type-options': 'nosniff',
  });
  expect((await bytesOf(answer)).toString()).toBe('a copy of h265 one');
  const part = await fetch(url, { headers: { range: 'bytes=2-5' } });
  expect([part.status, (await bytesOf(part)).toString()]).toEqual([206, 'copy']);
  const own = await studio.service.call('GET', `/api/v1/files/${id}/download`, { as: studio.key });
  expect(own.headers.get('location')).toContain('/storage/files/');
  expect(foldersOfFilms()).toEqual([]);
});

test('400 invalid_request: a copy that there is not; 404 to another account', async () => {
  const id = await copied('h265 one');
  expect(await ask(id, studio.key, 'small')).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request' } },
  });
  const stranger = await newCustomer(studio.service);
  expect((await ask(id, stranger.key)).status).toBe(404);
  expect((await ask(id, null)).status).toBe(401);
});

test('a copy of what the studio made is for the desk, and for customer and guests once it is delivered', async () => {
  const { service, operator } = studio;
  const job = await newJobIn(studio, 'running');
  const { id } = await newDeliverable(service, operator.token, job, standInFilm('h265 made'), film);
  await work();
  const desk = await service.call('GET', `/api/operator/v1/files/${id}/download?copy=viewing`, { as: operator.token });
  expect([desk.status, desk.headers.get('location')]).toEqual([303, expect.stringContaining('/storage/viewing/')]);
  expect((await ask(id)).status).toBe(404);
  await post(service, operator.token, `/api/operator/v1/jobs/${job}/submit`, { file_ids: [id] });
  await makeMoves(studio, job, 'pass');
  expect((await ask(id)).status).toBe(303);
  const { guest } = await newReviewLink(studio, job);
  const shared = await post(service, guest, `/api/v1/review/files/${id}/download?copy=viewing`);
  expect([shared.status, shared.body.download.url]).toEqual([200, expect.stringContaining('/storage/viewing/')]);
});

test('none of a film that browsers play; its size is read all the same', async () => {
  const id = await upload('h264');
  await work();
  expect(await read(id)).toMatchObject({ viewing_copy: 'none', width: 320, height: 180 });
  expect(await rowOf(id)).toMatchObject({ viewing_due_at: null });
});

test.each([
  ['that ffmpeg cannot copy', standInFilm('fail')],
  ['that ffmpeg cannot read', standInFilm('none')],
  ['whose picture is wider than any', standInFilm('wide')],
  ['whose copy is larger than files may be', standInFilm('large')],
  ['of a format that is not read', Buffer.from('\0\0\x01\xb3\0\0\0\0h265', 'latin1'), mpeg],
])('failed, and not tried again: a film %s', async (_, bytes, type = film) => {
  const { id } = await newFile(studio.service, studio.key, bytes, type);
  const before = await copies();
  await work();
  expect(await read(id)).toMatchObject({ viewing_copy: 'failed' });
  expect(await copies()).toEqual(before);
  expect(foldersOfFilms()).toEqual([]);
});

describe('the limit of the account', () => {
  test('counts copies as stored bytes, once for all files that share one', async () => {
    const { key } = await newCustomer(studio.service, 'agent');
    const id = await copied('h265 one', key); // 16 and 18 bytes
    expect((await post(studio.service, key, `/api/v1/files/${id}/copy`)).status).toBe(201); // 16
    const next = await upload('h265 two', key); // 16
    await work({ maxStoredBytes: 16 + 18 + 16 + 16 + 17 });
    expect(await read(next, key)).toMatchObject({ viewing_copy: 'failed' });
    const last = await upload('h265 two', key);
    await work({ maxStoredBytes: 16 + 18 + 16 + 16 + 16 + 18 });
    expect(await read(last, key)).toMatchObject({ viewing_copy: 'made' });
  });

  test('takes no copy for an upload of a trial, whose third may be a film', async () => {
    const { token } = await signUp(studio.service);
    await copied('h265 one', token);
    await newFile(studio.service, token, Buffer.from('two'), { content_type: 'text/plain' });
    await copied('h265 three', token);
  });

  test('does not wait for uploads that are not complete', async () => {
    const { key } = await newCustomer(studio.service, 'agent');
    await presign(studio.service, key, standInFilm('h265'), film);
    const id = await upload('h265 one', key);
    await work({ maxPendingUploads: 1 });
    expect(await read(id, key)).toMatchObject({ viewing_copy: 'made' });
  });
});

describe('is gone with its film', () => {
  test('when that is deleted, but for a copy of the file, which shares it', async () => {
    const id = await copied('h265 one');
    const key = (await rowOf(id)).viewing_key;
    const { body } = await post(studio.service, studio.key, `/api/v1/files/${id}/copy`);
    expect(body.file).toMatchObject({ viewing_copy: 'made' });
    const remove = (file: string) => studio.service.call('DELETE', `/api/v1/files/${file}`, { as: studio.key });
    await remove(id);
    expect(await copies()).toContain(key);
    expect(await read(id)).toMatchObject({ status: 'deleted', viewing_copy: 'none' });
    expect((await ask(id)).status).toBe(404);
    expect((await ask(body.file.id)).status).toBe(303);
    await remove(body.file.id);
    expect(await copies()).not.toContain(key);
  });

  test('at the end of retention, and when the account is closed', async () => {
    const person = await signUp(studio.service);
    const ended = (await rowOf(await copied('h265 one', studio.key, { retention_days: 1 }))).viewing_key;
    const closed = (await rowOf(await copied('h265 one', person.token))).viewing_key;
    await sql`update files set uploaded_at = now() - interval '2 days' where retention_days = 1`.execute(
      studio.service.context.db,
    );
    await deleteExpiredFiles(studio.service.context.db, studio.service.context.storage, going);
    await closeAccount(studio.service, person);
    const left = await copies();
    expect([left.includes(ended ?? ''), left.includes(closed ?? '')]).toEqual([false, false]);
  });

  test('when that is deleted while it is copied', async () => {
    const before = await copies();
    const id = await upload('h265 one');
    const { db, storage: objects } = studio.service.context;
    const writeFile: typeof objects.writeFile = async (...terms) => {
      await objects.writeFile(...terms);
      await studio.service.call('DELETE', `/api/v1/files/${id}`, { as: studio.key });
    };
    await makeViewingCopies({ ...studio.service.context, db, storage: { ...objects, writeFile } }, going);
    expect(await read(id)).toMatchObject({ status: 'deleted' });
    expect(await copies()).toEqual(before);
  });
});

test('a sweep leaves copies alone and takes those without a row; admin check misses one that is gone', async () => {
  const id = await copied('h265 one');
  const { viewing_key } = await rowOf(id);
  const orphan = `viewing/${crypto.randomUUID()}.mp4`;
  await storage.write(orphan, Buffer.from('left'));
  for (const key of await copies()) await storage.age(key, 25);
  const { orphans } = await sweepOrphans(studio.service.context, going);
  expect(orphans).toEqual([orphan]);
  expect(await copies()).toContain(viewing_key);
  const check = async () => (await checkObjects(studio.service.context, { contents: false })).contradictions;
  expect(await check()).toEqual([]);
  await studio.service.context.storage.remove(viewing_key ?? '');
  expect(JSON.stringify(await check())).toContain(`has no copy for viewing ${viewing_key}`);
  await studio.service.call('DELETE', `/api/v1/files/${id}`, { as: studio.key });
});

/** Ends as a lost bucket does, without an error code. */
const brokenOff = () =>
  Readable.from(
    (async function* () {
      yield Buffer.from('some');
      throw new Error('Premature close');
    })(),
  );

describe('attempts', () => {
  test('a film that ended the service three times is given up', async () => {
    const id = await upload('h265 one');
    const { db } = studio.service.context;
    await sql`update files set viewing_attempts = 3 where id = ${uuidOf('file', id)}`.execute(db);
    await work();
    expect(await read(id)).toMatchObject({ viewing_copy: 'failed' });
  });

  test('a service that stops ends the copy, which does not count and is tried again', async () => {
    const id = await upload('slow');
    const stop = new AbortController();
    const working = work({}, stop.signal);
    while (foldersOfFilms().length === 0 || !(await rowOf(id)).pixel_width)
      await new Promise((resolve) => setTimeout(resolve, 50));
    stop.abort();
    await working;
    expect(await rowOf(id)).toMatchObject({ viewing_status: 'pending', viewing_attempts: 0 });
    expect(foldersOfFilms()).toEqual([]);
  });

  test('a storage that does not answer counts as none', async () => {
    const id = await upload('h265 one');
    await storage.down();
    await expect(work()).rejects.toThrow();
    await storage.up();
    expect(await rowOf(id)).toMatchObject({ viewing_status: 'pending', viewing_attempts: 0 });
  });

  test.each([
    [1, 'of the service', new Error('no value of the table')],
    [0, 'of a database that is away', Object.assign(new Error('terminating connection'), { code: '57P01' })],
    [0, 'of a storage that breaks off', null],
  ])('%i are counted after an error %s', async (attempts, _, error) => {
    const id = await upload('h265 one');
    const { context } = studio.service;
    const objects = { ...context.storage };
    if (error) objects.writeFile = () => Promise.reject(error);
    else objects.open = async () => ({ bytes: 9, stream: brokenOff() });
    await expect(makeViewingCopies({ ...context, storage: objects }, going)).rejects.toThrow();
    const { viewing_attempts, viewing_due_at } = await rowOf(id);
    expect(viewing_attempts).toBe(attempts);
    const seconds = (Number(viewing_due_at) - Date.now()) / 1000;
    expect([seconds > 0, seconds > 60]).toEqual([true, attempts === 1]); // others have their turn first
  });

  test('accounts take turns', async () => {
    const other = await newCustomer(studio.service, 'agent');
    const first = [await upload('h265 1'), await upload('h265 2')];
    const theirs = await upload('h265 3', other.key);
    const stop = new AbortController();
    const made: string[] = [];
    const { context } = studio.service;
    const writeFile: typeof context.storage.writeFile = async (...terms) => {
      await context.storage.writeFile(...terms);
      for (const id of [...first, theirs])
        if ((await rowOf(id)).viewing_attempts > 0 && !made.includes(id)) made.push(id);
    };
    await sql`update files set viewing_attempts = 0`.execute(context.db);
    await makeViewingCopies({ ...context, storage: { ...context.storage, writeFile } }, stop.signal);
    expect(made).toEqual([first[0], theirs, first[1]]);
  });
});

test('what a process left that ended while it read a film is removed; that of one that runs stays', async () => {
  const ended = spawn('true');
  await new Promise((resolve) => ended.once('exit', resolve));
  const folder = (name: string, minutes = 0) => {
    const path = join(tmpdir(), `atelier-film-${name}-XYbusy`);
    mkdirSync(path, { recursive: true });
    const time = new Date(Date.now() - minutes * 60_000);
    utimesSync(path, time, time);
    return path;
  };
  const running = folder(`${hostname()}-${process.ppid}`, 120);
  const left = folder(`${hostname()}-${ended.pid}`);
  // In a container that shares the folder, a process of any number may run.
  const elsewhere = folder(`other-${hostname()}-${ended.pid}`, 50);
  const same = folder(`other-${process.pid}`, 50);
  const old = folder(`other-${process.ppid}`, 70);
  await removeLeftFilms();
  expect([running, left, elsewhere, same, old].map((path) => existsSync(path))).toEqual([
    true,
    false,
    true,
    true,
    false,
  ]);
  for (const path of [running, elsewhere, same]) rmSync(path, { recursive: true });
});

test('ffmpeg has twice its time of the processor, in whole seconds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-stand-in-'));
  const program = join(folder, 'limit');
  writeFileSync(program, '#!/bin/sh\nulimit -t', { mode: 0o755 });
  const limit = async (milliseconds: number) =>
    (await runFfmpeg(program, { folder, format: 'mov' }, { after: [] }, { milliseconds, stopped: going })).output;
  expect(String(await limit(29_999))).toBe('60\n');
  rmSync(folder, { recursive: true });
});

test('without FFMPEG a film waits for nothing, and one from before is given up a day after the last process with it', async () => {
  const { service, key } = await sharedStudio();
  const { id } = await newFile(service, key, standInFilm('h265'), film);
  const { db } = service.context;
  await db.deleteFrom('task_runs').where('task', '=', 'makeViewingCopies').execute();
  const row = () => db.selectFrom('files').selectAll().where('id', '=', uuidOf('file', id)).executeTakeFirstOrThrow();
  expect(await row()).toMatchObject({ viewing_status: 'none', poster_status: 'none' });
  const wait = (hours: number) =>
    sql`update files set viewing_status = 'pending', viewing_due_at = now() - make_interval(hours => ${hours}),
      poster_status = 'pending', poster_due_at = now() - make_interval(hours => ${hours})
      where id = ${uuidOf('file', id)}`.execute(db);
  await wait(23);
  await giveUpFilms(db);
  expect(await row()).toMatchObject({ viewing_status: 'pending', poster_status: 'pending' });
  await wait(25);
  const task = { task: 'makeViewingCopies', succeeded_at: new Date(), seconds: 0, every_seconds: 5 };
  const begunElsewhere = (hours: number) => ({ ...task, due_at: new Date(Date.now() - hours * 3_600_000) });
  await db.insertInto('task_runs').values(begunElsewhere(23)).execute();
  await giveUpFilms(db);
  expect(await row()).toMatchObject({ viewing_status: 'pending', poster_status: 'pending' });
  await db.updateTable('task_runs').set(begunElsewhere(25)).where('task', '=', task.task).execute();
  await giveUpFilms(db);
  expect(await row()).toMatchObject({ viewing_status: 'failed', poster_status: 'failed' });
  await db.deleteFrom('task_runs').where('task', '=', task.task).execute();
});
