import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forAWhile } from '../support/for-a-while.ts';
import { createService, type Service } from '../support/harness.ts';
import { createStudio, newJob, post, readJob, setPlan, type Studio, uuidOf } from '../support/jobs.ts';

/** The clock of a job against a model, over two processes on one database. */
let studio: Studio;
let other: Service;
beforeAll(async () => {
  studio = await createStudio();
  other = await createService({}, { databaseUrl: studio.service.databaseUrl });
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 100_000, quota: 100_000 });
});
afterAll(async () => {
  await other.close();
  await studio.service.close();
});

const steps = [
  'ask',
  'answer',
  'withdraw',
  'submit',
  'accept',
  'start',
  'release',
  'cancel',
  'reject',
  'pass',
  'reschedule',
] as const;
type Step = (typeof steps)[number];

const from: Partial<Record<Step, string[]>> = {
  accept: ['queued'],
  start: ['accepted'],
  release: ['accepted', 'running'],
  submit: ['running'],
  pass: ['needs_review'],
  cancel: ['queued', 'accepted', 'running', 'needs_review'],
  reject: ['queued', 'accepted', 'running', 'needs_review'],
};
const to: Partial<Record<Step, string>> = {
  accept: 'accepted',
  start: 'running',
  release: 'queued',
  submit: 'needs_review',
  pass: 'ready_for_customer_review',
  cancel: 'canceled',
  reject: 'rejected',
};
const bodies: Partial<Record<Step, object>> = {
  submit: { message: 'Done.' },
  reject: { code: 'other', message: 'No.' },
};

/** Puts the beginning of the wait back, so that waits have lengths that a rounding would show. */
const letWait = (id: string, ms: number) =>
  sql`
    update jobs set waiting_since = waiting_since - ${ms} * interval '1 millisecond',
      remaining_ms = remaining_ms + ${ms}
    where id = ${uuidOf('job', id)} and waiting_since is not null`.execute(studio.service.context.db);

/** All 1,000 histories take minutes: `FAULTS=long`. */
const milliseconds = process.env.FAULTS === 'long' ? 1_800_000 : 8_000;

test(
  'due_at moves by exactly the time waited, whatever happens during the wait',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.constantFrom(...steps), fc.boolean(), fc.integer({ min: 1, max: 10_000_000 })), {
          minLength: 1,
          maxLength: 14,
        }),
        forAWhile(milliseconds, 10, async (history) => {
          const id = await newJob(studio.service, studio.key);
          const { job } = await readJob(studio.service, studio.key, id);
          const model = { status: 'queued', due: Date.parse(job.due_at), since: 0, open: [] as string[] };
          const resume = (at: number) => {
            model.due += at - model.since;
            model.open = [];
          };
          for (const [step, elsewhere, wait] of history) {
            const service = elsewhere ? other : studio.service;
            const atDesk = (path: string, body?: object) =>
              post(service, studio.operator.token, `/api/operator/v1/jobs/${id}/${path}`, body);
            if (step === 'ask') {
              const { status, body } = await atDesk('messages', { text: 'Which?', question: true });
              const askable = from.cancel?.includes(model.status);
              expect(status).toBe(askable ? 201 : 409);
              if (!askable) continue;
              if (model.open.length === 0) model.since = Date.parse(body.message.created_at);
              model.open.push(body.message.id);
              await letWait(id, wait);
              model.since -= wait;
            } else if (step === 'answer') {
              const { status, body } = await post(service, studio.key, `/api/v1/jobs/${id}/messages`, {
                text: 'That.',
              });
              expect(status).toBe(201);
              if (model.open.length > 0) resume(Date.parse(body.message.created_at));
            } else if (step === 'withdraw') {
              const [question] = model.open;
              if (question === undefined) continue;
              const { status, body } = await atDesk(`messages/${question}/withdraw`);
              expect(status).toBe(200);
              const rest = model.open.slice(1);
              if (rest.length === 0) resume(Date.parse(body.message.withdrawn_at));
              else model.open = rest;
            } else if (step === 'reschedule') {
              const stands = model.open.length > 0;
              const due_at = new Date(Date.parse(job.due_at) + wait).toISOString();
              const change = stands ? { remaining_seconds: wait } : { due_at };
              const { status } = await atDesk('reschedule', { ...change, reason: 'The printer is late.' });
              const movable = from.cancel?.includes(model.status);
              expect(status).toBe(movable ? 200 : 409);
              if (!movable) continue;
              model.due = stands ? model.since + wait * 1_000 : Date.parse(due_at);
            } else {
              const path = step === 'cancel' ? '/api/v1/jobs' : '/api/operator/v1/jobs';
              const as = step === 'cancel' ? studio.key : studio.operator.token;
              const { status } = await post(service, as, `${path}/${id}/${step}`, bodies[step]);
              expect(status < 300).toBe(from[step]?.includes(model.status));
              if (status >= 300) continue;
              model.status = to[step] ?? '';
              if (model.open.length > 0 && ['submit', 'pass', 'reject', 'cancel'].includes(step)) {
                const thread = await service.call('GET', `/api/v1/jobs/${id}/messages?limit=100`, { as: studio.key });
                const { closed_at } = thread.body.messages.find(
                  (message: { id: string }) => message.id === model.open[0],
                );
                resume(Date.parse(closed_at));
              }
            }
            const { job: now } = await readJob(service, studio.key, id);
            expect(now.status).toBe(model.status);
            if (model.open.length === 0) expect(Date.parse(now.due_at), step).toBe(model.due);
            else {
              expect(now).toMatchObject({ due_at: null, waiting_on: 'customer' });
              expect(Date.parse(now.waiting_since)).toBe(model.since);
              expect(now.remaining_seconds).toBe(Math.floor((model.due - model.since) / 1000));
            }
          }
        }),
      ),
      { numRuns: 1_000 },
    );
  },
  milliseconds + 60_000,
);

test('of an answer, a withdrawal and a cancellation at the same moment each leaves the clock exact', async () => {
  for (let round = 0; round < 20; round++) {
    const id = await newJob(studio.service, studio.key);
    const { job: before } = await readJob(studio.service, studio.key, id);
    const asked = await post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${id}/messages`, {
      text: 'Which?',
      question: true,
    });
    const question = asked.body.message.id;
    const [answered, withdrawn, canceled] = await Promise.all([
      post(studio.service, studio.key, `/api/v1/jobs/${id}/messages`, { text: 'That.' }),
      post(other, studio.operator.token, `/api/operator/v1/jobs/${id}/messages/${question}/withdraw`),
      post(other, studio.key, `/api/v1/jobs/${id}/cancel`),
    ]);
    expect([answered.status, canceled.status]).toEqual([201, 200]);
    expect([200, 409]).toContain(withdrawn.status);
    const { job } = await readJob(other, studio.key, id);
    expect(job).toMatchObject({ status: 'canceled', waiting_on: null, remaining_seconds: null });
    const thread = await other.call('GET', `/api/v1/jobs/${id}/messages`, { as: studio.key });
    const row = thread.body.messages.find((message: { id: string }) => message.id === question);
    const ends = [row.answered_at, row.closed_at, row.withdrawn_at].filter((at) => at !== null).map(Date.parse);
    const waited = Date.parse(job.due_at) - Date.parse(before.due_at);
    expect(ends.map((at) => at - Date.parse(row.created_at))).toContain(waited);
  }
});
