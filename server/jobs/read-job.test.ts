import { beforeAll, expect, test } from 'vitest';
import { isEnded, type JobStatus, jobStatuses } from '../../contract/moves.ts';
import { showId } from '../../server/lib/id.ts';
import {
  activeJobsOf,
  draft,
  makeMoves,
  newJob,
  newJobIn,
  sharedStudio,
  readJob,
  type Studio,
  unknownJob,
} from '../../test/support/jobs.ts';
import { ask, say } from '../../test/support/talk.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const hours = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 3600_000;

test('200 shows every field of the full job, and its events', async () => {
  const id = await newJob(studio.service, studio.ada.token);
  const { job, events } = await readJob(studio.service, studio.key, id);
  expect(job).toEqual({
    id,
    status: 'queued',
    links: {
      self: `/api/v1/jobs/${id}`,
      events: `/api/v1/jobs/${id}/events`,
      approve: `/api/v1/jobs/${id}/approve`,
      cancel: `/api/v1/jobs/${id}/cancel`,
      revision: `/api/v1/jobs/${id}/revision`,
    },
    ...draft,
    reference: null,
    metadata: {},
    source: 'dashboard',
    plan_code: 'studio',
    created_by: { kind: 'user', id: showId('user', studio.ada.userId), name: 'Ada Lovelace' },
    revisions: { used: 0, included: 3 },
    revision_requests: [],
    allowed_actions: ['cancel'],
    reason: null,
    deliveries: [],
    intent_brief: null,
    files: [],
    created_at: isTime,
    updated_at: job.created_at,
    status_changed_at: job.created_at,
    wanted_by: null,
    due_at: isTime,
    due_round: 0,
    due_date_changes: [],
    waiting_on: null,
    waiting_since: null,
    remaining_seconds: null,
    review_due_at: null,
    next_date: { kind: 'first_delivery', falls_at: job.due_at, round: 0 },
    imported_at: null,
  });
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({ type: 'job.created', seq: 1 });
});

test('200 says in next_action what comes next: waiting, open questions, a review, or nothing', async () => {
  const { service, key } = studio;
  const next = async (id: string) => (await readJob(service, key, id)).next_action;
  const id = await newJobIn(studio, 'running');
  /** Sends the request that the text contains, which must find nothing that has happened before. */
  const waitsFor = async (text: string) => {
    const path = /Wait with GET (\S+&after=\d+&wait=25) /.exec(text)?.[1] ?? '';
    expect((await service.call('GET', path.replace('wait=25', 'wait=0'), { as: key })).body.events).toEqual([]);
    return path;
  };
  for (const status of ['queued', 'accepted', 'needs_review'] as const)
    await waitsFor(await next(await newJobIn(studio, status)));
  expect(await waitsFor(await next(id))).toContain(`job_id=${id}&types=job.question_asked,`);
  await ask(studio, id, 'Which green?');
  await ask(studio, id, 'And which font?');
  expect(await next(id)).toBe(
    `The studio asks: Which green?\n\nAnd which font?\n\nAnswer with POST /api/v1/jobs/${id}/messages and the clock of the job goes on.`,
  );
  await say(studio, id, 'Dark green, and yours.');
  const path = await waitsFor(await next(id));
  await makeMoves(studio, id, 'submit', 'pass');
  expect((await service.call('GET', path, { as: key })).body.events).toMatchObject([
    { type: 'job.ready_for_customer_review' },
  ]);
  expect(await next(id)).toContain(`POST /api/v1/jobs/${id}/approve?round=0 or ask`);
  await makeMoves(studio, id, 'revision', 'start', 'submit', 'pass');
  expect(await next(id)).toContain(`POST /api/v1/jobs/${id}/approve?round=1 or ask`);
  await makeMoves(studio, id, 'approve');
  expect(await next(id)).toBeNull();
});

test.each([
  ['', [1, 2, 3]],
  ['?events=all', [1, 2, 3]],
  ['?events=last', [3]],
  ['?events=none', []],
])('200 with %j answers the events %j of three', async (query, seqs) => {
  const id = await newJobIn(studio, 'running');
  const { body } = await studio.service.call('GET', `/api/v1/jobs/${id}${query}`, { as: studio.key });
  expect(body.events.map(({ seq }: { seq: number }) => seq)).toEqual(seqs);
});

test('400 invalid_request: events that are none of these', async () => {
  const { status, body } = await studio.service.call('GET', `/api/v1/jobs/${unknownJob}?events=some`, {
    as: studio.key,
  });
  expect([status, body.error.message]).toEqual([400, 'events: must be one of none, last, all']);
});

test('200 names the API key that created the job, also in lists', async () => {
  const { key, service, operator } = studio;
  const { auth } = (await service.call('GET', '/api/v1/me', { as: key })).body;
  const created_by = { kind: 'api_key', id: auth.api_key.id, name: 'test key' };
  const id = await newJob(service, key);
  expect((await readJob(service, key, id)).job.created_by).toEqual(created_by);
  const { body: own } = await service.call('GET', '/api/v1/jobs?limit=1', { as: key });
  expect(own.jobs).toMatchObject([{ id, created_by }]);
  const { body: queue } = await service.call('GET', `/api/operator/v1/jobs?status=queued&id=${id}`, {
    as: operator.token,
  });
  expect(queue.jobs.find((job: { id: string }) => job.id === id).created_by).toEqual(created_by);
});

const actions: Record<JobStatus, string[]> = {
  queued: ['cancel'],
  accepted: ['cancel'],
  running: ['cancel'],
  needs_review: ['cancel'],
  ready_for_customer_review: ['approve', 'revision'],
  completed: [],
  rejected: [],
  canceled: [],
};

test.each(jobStatuses)(
  '200 for a job that is %s: its allowed_actions, reason and times; active until it has ended',
  async (status) => {
    const active = await activeJobsOf(studio.service, studio.ada);
    const id = await newJobIn(studio, status);
    expect((await activeJobsOf(studio.service, studio.ada)) - active).toBe(isEnded(status) ? 0 : 1);
    const { job } = await readJob(studio.service, studio.key, id);
    expect(job).toMatchObject({ status, allowed_actions: actions[status] });
    expect(job.reason).toEqual(
      status === 'rejected' ? { code: 'out_of_scope', message: 'We do not take this on.' } : null,
    );
    expect(job.review_due_at === null).toBe(status !== 'ready_for_customer_review');
    expect(hours(job.created_at, job.status_changed_at) > 0).toBe(status !== 'queued');
    expect(job.updated_at).toBe(job.status_changed_at);
  },
);

test('200 sets review_due_at by the option, clears it with a revision, and sets it again', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  const first = (await readJob(studio.service, studio.key, id)).job;
  expect(hours(first.status_changed_at, first.review_due_at)).toBe(120);
  const asked = await makeMoves(studio, id, 'revision');
  expect(hours(asked.status_changed_at, asked.due_at)).toBeCloseTo(36, 2);
  expect(asked).toMatchObject({
    status: 'accepted',
    review_due_at: null,
    revisions: { used: 1, included: 3 },
    revision_requests: [{ round: 1, customer_instructions: 'Rounder, please.', created_at: isTime }],
    customer_instructions: draft.customer_instructions,
  });
  const again = await makeMoves(studio, id, 'start', 'submit', 'pass');
  expect(hours(again.status_changed_at, again.review_due_at)).toBe(120);
});

test('200 without a revision among the allowed_actions once the rounds are used', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review', { service_type: 'landing_page' });
  const twice = ['revision', 'start', 'submit', 'pass'] as const;
  await makeMoves(studio, id, ...twice, ...twice);
  const { job } = await readJob(studio.service, studio.key, id);
  expect(job).toMatchObject({ revisions: { used: 2, included: 2 }, allowed_actions: ['approve'] });
});

test('200 shows the customer nothing that is internal', async () => {
  const id = await newJobIn(studio, 'needs_review');
  await makeMoves(studio, id, 'return', 'submit', 'pass');
  const shown = JSON.stringify(await readJob(studio.service, studio.key, id));
  expect(shown).not.toMatch(/internal|\blease|note|holder|user_|acct_|The studio's/);
});

test.each([unknownJob, 'job_', 'nonsense', unknownJob.toUpperCase(), unknownJob.replace('job', 'key'), '%00', "'--"])(
  '404 job_not_found: %s',
  async (id) => {
    const { status, body } = await studio.service.call('GET', `/api/v1/jobs/${id}`, { as: studio.key });
    expect([status, body.error.code]).toEqual([404, 'job_not_found']);
  },
);
