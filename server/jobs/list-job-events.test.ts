import type { Static } from 'typebox';
import { beforeAll, expect, test } from 'vitest';
import type { JobEvent } from '../../contract/jobs/events.ts';
import { jobLinks } from '../../contract/jobs/job-links.ts';
import { type MoveName } from '../../contract/moves.ts';
import {
  createJob,
  makeMoves,
  newJob,
  newJobIn,
  sharedStudio,
  pathOf,
  post,
  type Studio,
  unknownJob,
} from '../../test/support/jobs.ts';
import { addMember, goodPassword } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const read = (id: string, query = '') =>
  studio.service.call('GET', `/api/v1/jobs/${id}/events${query}`, { as: studio.key });
const eventsOf = async (id: string) => (await read(id)).body.events;

test('200 shows every field of an event, with the request that caused it', async () => {
  const { body } = await studio.service.call('POST', '/api/v1/jobs', {
    as: studio.key,
    body: {
      service_family: 'design',
      service_type: 'logo',
      customer_title: 'A logo',
      customer_instructions: 'For us.',
    },
    headers: { 'x-request-id': 'my-own.id_1' },
  });
  const { id } = body.job;
  await studio.service.call('POST', pathOf('accept', id), {
    as: studio.operator.token,
    headers: { 'x-request-id': 'the-desks' },
  });
  const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const isId = expect.stringMatching(/^evt_[0-9a-z]{26}$/);
  expect((await read(id)).body).toEqual({
    job_id: id,
    events: [
      {
        id: isId,
        seq: 1,
        type: 'job.created',
        created_at: isTime,
        actor: 'customer',
        created_by: { kind: 'api_key', id: expect.stringMatching(/^key_/), name: 'test key' },
        request_id: 'my-own.id_1',
        message: expect.any(String),
        job: { id, seq: 1, status: 'queued', previous_status: null, reference: null, links: jobLinks(id) },
        data: {},
      },
      {
        id: isId,
        seq: 2,
        type: 'job.accepted',
        created_at: isTime,
        actor: 'operator',
        created_by: null,
        request_id: 'the-desks',
        message: expect.any(String),
        job: { id, seq: 2, status: 'accepted', previous_status: 'queued', reference: null, links: jobLinks(id) },
        data: {},
      },
    ],
  });
});

test('200: who of the account did it, by the name of today; nobody where the studio did', async () => {
  const { service, ada, operator, key } = studio;
  const noor = await addMember(service, ada, 'member');
  const byAda = { ...studio, key: ada.token };
  const id = await newJob(service, key);
  await makeMoves(byAda, id, 'accept', 'start', 'submit', 'pass', 'revision', 'start', 'submit', 'pass');
  await makeMoves({ ...studio, key: noor.token }, id, 'approve');
  const bys = async () =>
    (await eventsOf(id)).flatMap(({ type, created_by }: Static<typeof JobEvent>) =>
      created_by ? [[type, created_by]] : [],
    );
  const person = ({ userId }: { userId: string }, name: string) => ({ kind: 'user', id: showId('user', userId), name });
  await service.context.db.updateTable('people').set({ name: 'Noor Haddad' }).where('id', '=', noor.userId).execute();
  expect(await bys()).toEqual([
    ['job.created', { kind: 'api_key', id: expect.stringMatching(/^key_/), name: 'test key' }],
    ['job.revision_requested', person(ada, 'Ada Lovelace')],
    ['job.approved', person(noor, 'Noor Haddad')],
    ['job.completed', person(noor, 'Noor Haddad')],
  ]);
  const left = await post(service, noor.token, '/api/auth/delete', { password: goodPassword });
  expect(left.status).toBe(200);
  expect((await bys()).at(-1)).toEqual(['job.completed', person(noor, 'Deleted person')]);
  const desk = await service.call('GET', `/api/operator/v1/jobs/${id}`, { as: operator.token });
  expect(desk.body.events).toEqual(await eventsOf(id));
});

/** Each move with its events: type, status before, status after, actor. */
const story: [MoveName, string[][]][] = [
  ['accept', [['job.accepted', 'queued', 'accepted', 'operator']]],
  ['release', [['job.requeued', 'accepted', 'queued', 'operator']]],
  ['accept', [['job.accepted', 'queued', 'accepted', 'operator']]],
  ['start', [['job.started', 'accepted', 'running', 'operator']]],
  ['submit', [['job.submitted', 'running', 'needs_review', 'operator']]],
  ['return', [['job.returned', 'needs_review', 'running', 'operator']]],
  ['submit', [['job.submitted', 'running', 'needs_review', 'operator']]],
  ['pass', [['job.ready_for_customer_review', 'needs_review', 'ready_for_customer_review', 'operator']]],
  ['revision', [['job.revision_requested', 'ready_for_customer_review', 'accepted', 'customer']]],
  ['start', [['job.started', 'accepted', 'running', 'operator']]],
  ['submit', [['job.submitted', 'running', 'needs_review', 'operator']]],
  ['pass', [['job.ready_for_customer_review', 'needs_review', 'ready_for_customer_review', 'operator']]],
  [
    'approve',
    [
      ['job.approved', 'ready_for_customer_review', 'ready_for_customer_review', 'customer'],
      ['job.completed', 'ready_for_customer_review', 'completed', 'customer'],
    ],
  ],
];

test('200 lists every event in order, without gaps, each with the status it produced', async () => {
  const id = await newJob(studio.service, studio.key);
  const expected = [['job.created', null, 'queued', 'customer'], ...story.flatMap(([, events]) => events)];
  await makeMoves(studio, id, ...story.map(([move]) => move));
  const events = await eventsOf(id);
  expect(
    events.map(({ type, job, actor }: Static<typeof JobEvent>) => [type, job.previous_status, job.status, actor]),
  ).toEqual(expected);
  expect(events.map(({ seq }: { seq: number }) => seq)).toEqual(expected.map((_, index) => index + 1));
  const times = events.map(({ created_at }: { created_at: string }) => created_at);
  expect(times).toEqual(times.toSorted());
  expect((await studio.service.call('GET', `/api/v1/jobs/${id}`, { as: studio.key })).body.events).toEqual(events);
});

test('200 of an option without quality review: submitted and ready at once', async () => {
  const id = await newJob(studio.service, studio.key, { service_type: 'image_cutout' });
  await makeMoves(studio, id, 'accept', 'start', 'submit');
  expect((await eventsOf(id)).slice(-2)).toMatchObject([
    { seq: 4, type: 'job.submitted', job: { seq: 4, previous_status: 'running' }, actor: 'operator' },
    { seq: 5, type: 'job.ready_for_customer_review', job: { status: 'ready_for_customer_review' }, actor: 'operator' },
  ]);
});

test.each([
  ['canceled', 'job.canceled', 'customer'],
  ['rejected', 'job.rejected', 'operator'],
] as const)('200 of a job that is %s ends with %s', async (status, type, actor) => {
  const events = await eventsOf(await newJobIn(studio, status));
  expect(events.at(-1)).toMatchObject({ seq: 2, type, job: { status, previous_status: 'queued' }, actor });
});

test('200 with after: only later events, none after the last', async () => {
  const id = await newJobIn(studio, 'running');
  const seqs = async (query: string) => (await read(id, query)).body.events.map(({ seq }: { seq: number }) => seq);
  expect(await seqs('?after=0')).toEqual([1, 2, 3]);
  expect(await seqs('?after=2')).toEqual([3]);
  expect(await seqs('?after=3')).toEqual([]);
  expect(await seqs('?after=2147483647')).toEqual([]);
});

test('200 replays and refusals leave no event', async () => {
  const { body } = await createJob(studio.service, studio.key, {}, 'quiet');
  await createJob(studio.service, studio.key, {}, 'quiet');
  await studio.service.call('POST', body.job.links.approve, { as: studio.key });
  expect(await eventsOf(body.job.id)).toHaveLength(1);
});

test.each(['-1', '1.5', '', '1e1', '0x1', '2147483648', '1&after=2', '01'])(
  '400 invalid_request: after=%s',
  async (after) => {
    const { status, body } = await read(unknownJob, `?after=${after}`);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  },
);
