import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { jobStatuses } from '../../contract/moves.ts';
import { followEvents } from '../../test/support/event-stream.ts';
import { unknownFile } from '../../test/support/files.ts';
import { createService } from '../../test/support/harness.ts';
import {
  sharedStudio,
  makeMoves,
  newJobIn,
  post,
  readJob,
  setPlan,
  type Studio,
  unknownJob,
  uuidOf,
} from '../../test/support/jobs.ts';
import { comment, commentsOf, deliver, newDelivery } from '../../test/support/review.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000, quota: 1000 });
});

test('201: a comment with a place, under the name of its author', async () => {
  const delivery = await newDelivery(studio);
  const { status, body } = await comment(
    studio,
    delivery,
    ' Rounder,\nplease 👍 ',
    'xywh=percent:40.0,25,10,12.50',
    studio.ada.token,
  );
  expect(status).toBe(201);
  expect(body.comment).toEqual({
    id: expect.stringMatching(/^cmt_[0-9a-z]{26}$/),
    job_id: delivery.id,
    round: 0,
    number: 1,
    file_id: delivery.file,
    file_name: 'brand guide.png',
    at: 'xywh=percent:40,25,10,12.5',
    text: ' Rounder,\nplease 👍 ',
    author: { kind: 'customer', name: 'Ada Lovelace' },
    editable: true,
    never_sent: false,
    created_at: expect.any(String),
    updated_at: body.comment.created_at,
    replies: [],
    settled_at: null,
    settled_by: null,
    sent_at: null,
    done_at: null,
    done_note: null,
  });
  expect(await commentsOf(studio, delivery.id, '', studio.ada.token)).toEqual([body.comment]);
});

test('201: colleagues see it at once, and cannot change it', async () => {
  const delivery = await newDelivery(studio);
  await comment(studio, delivery, 'Mine.', undefined, studio.ada.token);
  expect(await commentsOf(studio, delivery.id)).toMatchObject([{ text: 'Mine.', editable: false }]);
});

test('201: numbers run through the round, and start again in the next', async () => {
  const delivery = await newDelivery(studio);
  for (const text of ['One.', 'Two.']) await comment(studio, delivery, text);
  await makeMoves(studio, delivery.id, 'revision', 'start');
  const file = await deliver(studio, delivery.id);
  const { body } = await comment(studio, { ...delivery, file }, 'Three.');
  expect([body.comment.round, body.comment.number]).toEqual([1, 1]);
  expect((await commentsOf(studio, delivery.id)).map(({ number }: { number: number }) => number)).toEqual([1, 2, 1]);
});

test('201: again with the same Idempotency-Key: one comment', async () => {
  const delivery = await newDelivery(studio);
  const first = await comment(studio, delivery, 'Once.', undefined, studio.key, 'comment-once');
  const second = await comment(studio, delivery, 'Once.', undefined, studio.key, 'comment-once');
  expect([second.status, second.body]).toEqual([201, first.body]);
  expect(await commentsOf(studio, delivery.id)).toHaveLength(1);
});

test('404 comment_not_found: again with the key of a comment that was deleted, of which nothing remains', async () => {
  const delivery = await newDelivery(studio);
  const { body } = await comment(studio, delivery, 'A slip of the pen.', undefined, studio.key, 'comment-deleted');
  await studio.service.call('DELETE', `/api/v1/jobs/${delivery.id}/comments/${body.comment.id}`, { as: studio.key });
  const again = await comment(studio, delivery, 'A slip of the pen.', undefined, studio.key, 'comment-deleted');
  expect([again.status, again.body.error.code]).toEqual([404, 'comment_not_found']);
  const { rows } = await sql`select from idempotency_keys where answer::text like '%slip of the pen%'`.execute(
    studio.service.context.db,
  );
  expect(rows).toEqual([]);
});

test('201: the job, its events and its last change stay as they were', async () => {
  const delivery = await newDelivery(studio);
  const before = await readJob(studio.service, studio.key, delivery.id);
  await comment(studio, delivery, 'Rounder.');
  expect(await readJob(studio.service, studio.key, delivery.id)).toEqual(before);
});

test('201: open pages of the account learn of it in every process, without its text', async () => {
  const delivery = await newDelivery(studio);
  const other = await createService({}, { databaseUrl: studio.service.databaseUrl });
  const stream = await followEvents(other, studio.ada.token);
  expect((await stream.next())?.event).toBe('open');
  await comment(studio, delivery, 'Rounder.');
  expect(await stream.next()).toEqual({
    event: 'comments',
    id: null,
    retry: null,
    data: { changes: expect.any(Number) },
  });
  await stream.close();
  await other.close();
});

test.each(jobStatuses.filter((status) => status !== 'ready_for_customer_review'))(
  '409 invalid_transition: a job that is %s',
  async (status) => {
    const id = await newJobIn(studio, status);
    const { status: got, body } = await comment(studio, { id, file: unknownFile }, 'Rounder.');
    expect([got, body.error.code]).toEqual([409, 'invalid_transition']);
    expect(body.error.message).toContain(`The job is ${status}`);
  },
);

test('422 invalid_request: a file of an earlier delivery, of another job, or none', async () => {
  const delivery = await newDelivery(studio);
  const elsewhere = await newDelivery(studio);
  await makeMoves(studio, delivery.id, 'revision', 'start');
  await deliver(studio, delivery.id);
  for (const file of [delivery.file, elsewhere.file, unknownFile, 'nonsense']) {
    const { status, body } = await comment(studio, { ...delivery, file }, 'Rounder.');
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
    expect(body.error.details).toEqual([{ location: '/file_id', message: 'names no file of the current delivery' }]);
  }
});

test.each([
  ['image/png', 't=1', 'has t=, which a file of type image/png does not have'],
  ['image/png', 'xywh=percent:90,0,11,0', 'must have x + w and y + h of at most 100 percent'],
  ['application/pdf', 'xywh=percent:1,2,3,4', expect.stringContaining('must name the page')],
  ['application/zip', 'page=1', expect.stringContaining('does not have')],
  ['text/plain', 'line=2,1', expect.stringContaining('must not end before it starts')],
])('422 invalid_request: in %s the place %s', async (type, at, message) => {
  const { status, body } = await comment(studio, await newDelivery(studio, type), 'Here.', at);
  expect([status, body.error.details]).toEqual([422, [{ location: '/at', message }]]);
});

test.each([
  ['no text', ''],
  ['spaces only', ' \n '],
  ['2,001 code points', '🙂'.repeat(2_001)],
])('422 invalid_request: %s', async (_, text) => {
  const { status, body } = await comment(studio, { id: unknownJob, file: unknownFile }, text);
  expect([status, body.error.code]).toEqual([422, 'invalid_request']);
});

test('422 unsafe_request: a credential in the text, which is not stored', async () => {
  const delivery = await newDelivery(studio);
  const { status, body } = await comment(studio, delivery, `Use ${studio.key}.`);
  expect([status, body.error.code, body.error.details[0].location]).toEqual([422, 'unsafe_request', '/text']);
  expect(await commentsOf(studio, delivery.id)).toEqual([]);
});

test('403 limit_reached: the 201st comment of a round', async () => {
  const delivery = await newDelivery(studio);
  await sql`
    insert into job_comments (account_id, job_id, round, file_id, text, user_id)
    select j.account_id, j.id, 0, ${uuidOf('file', delivery.file)}, 'More.', ${studio.ada.userId}
    from jobs j, generate_series(1, 200) where j.id = ${uuidOf('job', delivery.id)}`.execute(studio.service.context.db);
  const { status, body } = await comment(studio, delivery, 'One more.');
  expect([status, body.error.code]).toEqual([403, 'limit_reached']);
});

test('403 limit_reached: comments at the same moment never exceed the bound', async () => {
  const delivery = await newDelivery(studio);
  await sql`
    insert into job_comments (account_id, job_id, round, file_id, text, user_id)
    select j.account_id, j.id, 0, ${uuidOf('file', delivery.file)}, 'More.', ${studio.ada.userId}
    from jobs j, generate_series(1, 198) where j.id = ${uuidOf('job', delivery.id)}`.execute(studio.service.context.db);
  const answers = await Promise.all(Array.from({ length: 6 }, () => comment(studio, delivery, 'At once.')));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403, 403, 403]);
});

test('the audit log of the account names who wrote it; the studio reads nothing of it', async () => {
  const delivery = await newDelivery(studio);
  const { body } = await comment(studio, delivery, 'Rounder.', undefined, studio.ada.token);
  const entries = async (path: string, as: string) =>
    (await studio.service.call('GET', `${path}?subject=${body.comment.id}`, { as })).body.audit_entries;
  expect(await entries('/api/v1/audit', studio.ada.token)).toMatchObject([
    { action: 'comment.created', created_by: { name: 'Ada Lovelace' } },
  ]);
  expect(await entries('/api/operator/v1/audit', studio.operator.token)).toEqual([]);
});

test('an answer at the desk, an event or a webhook never has a comment that was not sent', async () => {
  const delivery = await newDelivery(studio);
  const { token } = studio.operator;
  const atDesk = async () => {
    const job = await studio.service.call('GET', `/api/operator/v1/jobs/${delivery.id}`, { as: token });
    const queue = await studio.service.call('GET', `/api/operator/v1/jobs?id=${delivery.id}`, { as: token });
    const audit = await studio.service.call('GET', '/api/operator/v1/audit?limit=100', { as: token });
    const events = await studio.service.call('GET', `/api/v1/events?job_id=${delivery.id}`, { as: studio.key });
    return [job, queue, audit, events].map(({ status, body }) => {
      expect(status).toBe(200);
      return body;
    });
  };
  const before = await atDesk();
  const { body } = await comment(studio, delivery, 'Only among ourselves.');
  const path = `/api/v1/jobs/${delivery.id}/comments/${body.comment.id}`;
  await studio.service.call('PATCH', path, { as: studio.key, body: { text: 'Still among ourselves.' } });
  expect(await atDesk()).toEqual(before);
  await studio.service.call('DELETE', path, { as: studio.key });
  await post(studio.service, studio.key, `/api/v1/jobs/${delivery.id}/approve`);
});
