import { beforeAll, expect, test } from 'vitest';
import { showId } from '../../lib/id.ts';
import { newJob, sharedStudio, post, readJob, type Studio, unknownJob } from '../../../test/support/jobs.ts';
import { makeOperator } from '../../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const add = (id: string, body: unknown = 'Call them.', idempotencyKey?: string) =>
  post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${id}/notes`, { body }, idempotencyKey);
const notesOf = async (id: string) => {
  const { body } = await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token });
  return body.job.notes;
};

test('201 with the note, which stands at the desk and changes nothing that the customer sees', async () => {
  const id = await newJob(studio.service, studio.key);
  const before = await readJob(studio.service, studio.key, id);
  const { status, body } = await add(id, ' Call them.\n');
  expect(status).toBe(201);
  expect(body.note).toEqual({
    id: expect.stringMatching(/^note_[0-9a-z]{26}$/),
    created_by: { kind: 'user', id: showId('user', studio.operator.userId), name: 'Operator' },
    body: ' Call them.\n',
    created_at: expect.any(String),
  });
  await add(id, 'x'.repeat(10_000));
  expect((await notesOf(id))[0]).toEqual(body.note);
  expect((await notesOf(id)).map((note: { body: string }) => note.body.slice(0, 9))).toEqual([
    ' Call the',
    'xxxxxxxxx',
  ]);
  expect(await readJob(studio.service, studio.key, id)).toEqual(before);
});

test('201 again with the same Idempotency-Key: the status of the first time, and one note', async () => {
  const id = await newJob(studio.service, studio.key);
  const first = await add(id, 'Once.', 'note-once');
  const second = await add(id, 'Once.', 'note-once');
  expect([second.status, second.headers.get('idempotent-replayed'), second.body]).toEqual([201, 'true', first.body]);
  expect(await notesOf(id)).toHaveLength(1);
});

test('201 for another operator with the same Idempotency-Key, which belongs to the operator', async () => {
  const id = await newJob(studio.service, studio.key);
  const other = await makeOperator(studio.service);
  await add(id, 'Mine.', 'shared');
  const path = `/api/operator/v1/jobs/${id}/notes`;
  const { status, body } = await post(studio.service, other.token, path, { body: 'Theirs.' }, 'shared');
  expect([status, body.note.created_by.id]).toEqual([201, showId('user', other.userId)]);
  expect(await notesOf(id)).toHaveLength(2);
});

test('422 idempotency_key_conflict: the same key with another note', async () => {
  const id = await newJob(studio.service, studio.key);
  await add(id, 'Once.', 'conflict');
  const { status, body } = await add(id, 'Twice.', 'conflict');
  expect([status, body.error.code]).toEqual([422, 'idempotency_key_conflict']);
});

test.each(['', ' \n ', 'x'.repeat(10_001), 'nul\u0000', 'lone \udc00', 7, null, ['x']])(
  '422 invalid_request: %j',
  async (note) => {
    const { status, body } = await add(unknownJob, note);
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
  },
);
