import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { bytesFor, newDeliverable, newFile } from '../../test/support/files.ts';
import {
  makeMoves,
  newJob,
  newJobIn,
  post,
  readJob,
  setPlan,
  sharedStudio,
  type Studio,
  uuidOf,
} from '../../test/support/jobs.ts';
import { check, comment, deliver, newRevision } from '../../test/support/review.ts';
import { ask, say } from '../../test/support/talk.ts';
import { newPosterKey } from '../files/poster-url.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000 });
});

async function listed(id: string, include = '&include=work') {
  const { status, body } = await studio.service.call('GET', `/api/v1/jobs?q=${id}${include}`, { as: studio.key });
  expect(status).toBe(200);
  return body.jobs[0];
}

const drawn = (fileId: string) =>
  sql`update files set poster_status = 'made', poster_key = ${newPosterKey()}, poster_due_at = null
    where id = ${uuidOf('file', fileId)}`.execute(studio.service.context.db);

const upload = async (content_type: string) =>
  (await newFile(studio.service, studio.key, bytesFor(content_type), { content_type })).id;

test('200 has cover, open question and changes only with include=work', async () => {
  const id = await newJob(studio.service, studio.key);
  expect(await listed(id)).toMatchObject({ cover: null, open_question: null, changes: null });
  expect(
    Object.keys(await listed(id, '')).filter((name) => ['cover', 'open_question', 'changes'].includes(name)),
  ).toEqual([]);
  const { next_date, due_at } = (await readJob(studio.service, studio.key, id)).job;
  expect(next_date).toEqual({ kind: 'first_delivery', falls_at: due_at, round: 0 });
});

test('200 covers a job with the newest delivery, by its first picture, and before that with a file of its own', async () => {
  const own = [await upload('text/plain'), await upload('text/csv')];
  const id = await newJob(studio.service, studio.key, { file_ids: own });
  expect((await listed(id)).cover).toMatchObject({ file_id: own[0], poster: null });
  await drawn(own[1]);
  const { cover } = await listed(id);
  expect(cover).toEqual({
    file_id: own[1],
    file_name: expect.any(String),
    content_type: 'text/csv',
    poster: expect.stringMatching(/^http.*\/posters\//),
    poster_status: 'made',
  });
  await makeMoves(studio, id, 'accept', 'start');
  const { service, operator } = studio;
  const unseen = await newDeliverable(service, operator.token, id, bytesFor('image/png'), {
    content_type: 'image/png',
  });
  await drawn(unseen.id);
  expect((await listed(id)).cover.file_id).toBe(own[1]);
  const first = await deliver(studio, id);
  expect((await listed(id)).cover.file_id).toBe(first);
  await post(service, studio.key, `/api/v1/jobs/${id}/revision`, { customer_instructions: 'Rounder.' });
  await makeMoves(studio, id, 'start');
  const second = await deliver(studio, id, 'text/plain');
  await drawn(first);
  expect((await listed(id)).cover.file_id).toBe(second);
});

test('200 begins the oldest open question, until it is answered', async () => {
  const id = await newJobIn(studio, 'running');
  await ask(studio, id, `Which green? ${'x'.repeat(300)}`);
  await ask(studio, id, 'Which size?');
  const { open_question, next_date, waiting_since } = await listed(id);
  expect(open_question).toBe(`Which green? ${'x'.repeat(187)}`);
  expect(next_date).toEqual({ kind: 'question', falls_at: waiting_since, round: 0 });
  await say(studio, id, 'The dark one.');
  expect((await listed(id)).open_question).toBeNull();
});

test('200 counts what was done of the changes once they are delivered', async () => {
  const { id, file, comments } = await newRevision(studio, 'One.', 'Two.', 'Three.');
  await check(studio, id, comments[0]!);
  await check(studio, id, comments[2]!);
  expect((await listed(id)).changes).toBeNull();
  expect((await listed(id)).next_date).toMatchObject({ kind: 'round', round: 1, falls_at: expect.any(String) });
  await makeMoves(studio, id, 'start');
  const next = await deliver(studio, id);
  expect((await listed(id)).changes).toEqual({ asked: 3, done: 2 });
  expect((await comment(studio, { id, file: next }, 'Not sent yet.')).status).toBe(201);
  expect((await listed(id)).changes).toEqual({ asked: 3, done: 2 });
  expect(file).not.toBe(next);
});

test('200 shows nothing of another account', async () => {
  const other = await sharedStudio();
  const id = await newJob(studio.service, studio.key, { file_ids: [await upload('image/png')] });
  const { body } = await other.service.call('GET', `/api/v1/jobs?q=${id}&include=work`, { as: other.key });
  expect(body.jobs).toEqual([]);
});
