import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, newJob, newJobIn, post, readJob, type Studio, uuidOf } from '../../../test/support/jobs.ts';
import { makeOperator } from '../../../test/support/people.ts';
import { ask, newDeskReference, say, sayAtDesk, threadOf } from '../../../test/support/talk.ts';
import { claim, leasedJob, makeWorker, moveAs } from '../../../test/support/workers.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const unknownMessage = 'msg_01jd3vsh8xe7rtx1zqbdnzc4v0';
const withdraw = (id: string, message: string, as = studio.operator.token, body?: object) =>
  post(studio.service, as, `/api/operator/v1/jobs/${id}/messages/${message}/withdraw`, body);

/** A job under a lease of the worker, with a message that the worker sent. */
async function newWorkersMessage(worker: string) {
  const { id, family, token: lease_token } = await leasedJob(studio, worker);
  const { body } = await sayAtDesk(studio, id, 'I have begun.', { lease_token }, worker);
  return { id, family, lease_token, message: body.message.id as string };
}

test('200: any operator withdraws an open question, and after the last one the clock goes on', async () => {
  const id = await newJobIn(studio, 'running');
  const [first, second] = [await ask(studio, id), await ask(studio, id, 'And which red?')];
  const ben = await makeOperator(studio.service);
  expect((await withdraw(id, first, ben.token)).status).toBe(200);
  expect((await readJob(studio.service, studio.key, id)).job.waiting_on).toBe('customer');
  expect((await withdraw(id, second)).status).toBe(200);
  const { job, events } = await readJob(studio.service, studio.key, id);
  expect(job).toMatchObject({ waiting_on: null, due_at: expect.any(String) });
  expect(events.at(-1).type).toBe('job.due_date_changed');
});

test('200: a file of the message is hidden from the customer again', async () => {
  const id = await newJobIn(studio, 'running');
  const file = await newDeskReference(studio, id);
  const { body: sent } = await sayAtDesk(studio, id, 'A sketch.', { file_ids: [file] });
  expect((await withdraw(id, sent.message.id)).status).toBe(200);
  expect((await studio.service.call('GET', `/api/v1/files/${file}`, { as: studio.key })).status).toBe(404);
});

test('200: a worker withdraws its own message while it holds the job', async () => {
  const worker = await makeWorker(studio);
  const { id, lease_token, message } = await newWorkersMessage(worker);
  const { status, body } = await withdraw(id, message, worker, { lease_token });
  expect([status, body.message]).toMatchObject([200, { mine: true, text: null, withdrawn_at: expect.any(String) }]);
  expect((await threadOf(studio, id)).messages).toMatchObject([{ text: null }]);
});

test('404 message_not_found: unknown', async () => {
  const id = await newJob(studio.service, studio.key);
  expect((await withdraw(id, unknownMessage)).body.error.code).toBe('message_not_found');
});

test('409 invalid_transition: a message of somebody else, or an answered question after 15 minutes', async () => {
  const id = await newJobIn(studio, 'running');
  const { body: ofCustomer } = await say(studio, id, 'Hello.');
  expect((await withdraw(id, ofCustomer.message.id)).body.error.code).toBe('invalid_transition');
  const question = await ask(studio, id);
  await say(studio, id, 'The dark one.');
  await sql`
    update job_messages set created_at = created_at - interval '15 minutes'
    where job_id = ${uuidOf('job', id)}`.execute(studio.service.context.db);
  expect((await withdraw(id, question)).status).toBe(409);
});

test('409 invalid_transition: a worker and a message of a colleague or of another worker, or its own after 15 minutes', async () => {
  const [worker, other] = [await makeWorker(studio), await makeWorker(studio)];
  const { id, lease_token, message } = await newWorkersMessage(worker);
  const { body } = await sayAtDesk(studio, id, 'We have begun.');
  expect((await withdraw(id, body.message.id, worker, { lease_token })).body.error.code).toBe('invalid_transition');
  await sql`
    update job_messages set created_at = created_at - interval '15 minutes'
    where job_id = ${uuidOf('job', id)}`.execute(studio.service.context.db);
  expect((await withdraw(id, message, worker, { lease_token })).body.error.code).toBe('invalid_transition');

  const second = await newWorkersMessage(worker);
  await moveAs(studio, worker, second.id, 'release', second.lease_token);
  const { body: claimed } = await claim(studio, other, { service_families: [second.family] });
  const answer = await withdraw(second.id, second.message, other, { lease_token: claimed.lease.token });
  expect(answer.body.error.code).toBe('invalid_transition');
});

test('409 lease_lost: a worker that holds the job no more, or gave it back with its question', async () => {
  const [worker, other] = [await makeWorker(studio), await makeWorker(studio)];
  const { id, lease_token, message } = await newWorkersMessage(worker);
  for (const [as, token] of [
    [other, lease_token],
    [worker, randomUUID()],
  ] as const)
    expect((await withdraw(id, message, as, { lease_token: token })).body.error.code).toBe('lease_lost');
  const { body } = await sayAtDesk(studio, id, 'Which green?', { question: true, lease_token }, worker);
  expect((await withdraw(id, body.message.id, worker, { lease_token })).body.error.code).toBe('lease_lost');
  expect((await withdraw(id, body.message.id)).status).toBe(200);
  expect((await readJob(studio.service, studio.key, id)).job.waiting_on).toBe(null);
});

test('422 invalid_request: an unknown field, and a worker without its lease', async () => {
  const worker = await makeWorker(studio);
  const { id, message } = await newWorkersMessage(worker);
  for (const [as, body] of [
    [studio.operator.token, { why: 'x' }],
    [worker, {}],
  ] as const)
    expect(await withdraw(id, message, as, body)).toMatchObject({
      status: 422,
      body: { error: { code: 'invalid_request' } },
    });
});
