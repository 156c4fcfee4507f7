import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { showId } from '../../lib/id.ts';
import { sharedStudio, makeMoves, newJobIn, post, type Studio, uuidOf } from '../../../test/support/jobs.ts';
import { makeOperator, type TestPerson } from '../../../test/support/people.ts';
import { ask, say } from '../../../test/support/talk.ts';
import { leasedJob, makeWorker, moveAs, runOut, sweep } from '../../../test/support/workers.ts';

let studio: Studio;
let ben: TestPerson;
beforeAll(async () => {
  studio = await sharedStudio();
});
/** Everything before each test is left out by its colleague, who is new, and by `raised_after`. */
let since: string;
beforeEach(async () => {
  ben = await makeOperator(studio.service);
  since = (await read(ben)).body.read_until;
});

const read = ({ token }: TestPerson, query = '') =>
  studio.service.call('GET', `/api/operator/v1/alerts${query}`, { as: token });
const kindsOf = async (person: TestPerson, job: string, from = since): Promise<string[]> =>
  (await read(person, `?raised_after=${from}`)).body.alerts
    .filter(({ job_id }: { job_id: string }) => job_id === job)
    .map(({ kind }: { kind: string }) => kind);
const hold = (id: string, by: TestPerson, to: TestPerson) =>
  post(studio.service, by.token, `/api/operator/v1/jobs/${id}/hold`, { operator_id: showId('user', to.userId) });
const change = (id: string, columns: ReturnType<typeof sql>) =>
  sql`update jobs set ${columns} where id = ${uuidOf('job', id)}`.execute(studio.service.context.db);

test('200 without a time: no alert, and the time to begin with', async () => {
  const { status, body } = await read(ben);
  expect([status, body.alerts]).toEqual([200, []]);
  expect(Date.parse(body.read_until)).toBeLessThanOrEqual(Date.now());
});

test('200 a job that a colleague hands over, once it is mine and while it is', async () => {
  const id = await newJobIn(studio, 'accepted');
  await hold(id, studio.operator, ben);
  const { body } = await read(ben, `?raised_after=${since}`);
  expect(body.alerts.find(({ job_id }: { job_id: string }) => job_id === id)).toEqual({
    kind: 'handed_over',
    raised_at: expect.any(String),
    job_id: id,
    customer_title: 'Logo for a neighbourhood bakery',
    account: { id: showId('acct', studio.ada.accountId), name: expect.any(String) },
  });
  expect(await kindsOf(studio.operator, id)).toEqual([]);
  expect(await kindsOf(ben, id, new Date(Date.now() + 60_000).toISOString())).toEqual([]);
  await hold(id, studio.operator, studio.operator);
  expect(await kindsOf(ben, id)).toEqual(['taken_over']);
});

test('200 a job that I took over myself is no alert', async () => {
  const id = await newJobIn(studio, 'accepted');
  await hold(id, ben, ben);
  expect(await kindsOf(ben, id)).toEqual([]);
});

test('200 requested changes, for the holder of the job and nobody else, until it is delivered again', async () => {
  const id = await newJobIn(studio, 'running');
  await hold(id, ben, ben);
  await post(studio.service, ben.token, `/api/operator/v1/jobs/${id}/submit`, { message: 'Here.' });
  await makeMoves(studio, id, 'pass', 'revision');
  expect(await kindsOf(ben, id)).toEqual(['revision_requested']);
  expect(await kindsOf(studio.operator, id)).toEqual(['taken_over']);
  for (const verb of ['start', 'submit'])
    await post(studio.service, ben.token, `/api/operator/v1/jobs/${id}/${verb}`, {
      ...(verb === 'submit' && { message: 'Again.' }),
    });
  expect(await kindsOf(ben, id)).toEqual([]);
});

test('200 an answer, of a job that nobody holds for operators of its family', async () => {
  const id = await newJobIn(studio, 'queued');
  await ask(studio, id);
  expect(await kindsOf(ben, id)).toEqual([]);
  await say(studio, id, 'The dark one.');
  expect(await kindsOf(ben, id)).toEqual(['question_answered']);
  await studio.service.call('PATCH', `/api/operator/v1/operators/${showId('user', ben.userId)}`, {
    as: studio.operator.token,
    body: { service_families: ['data'] },
  });
  expect(await kindsOf(ben, id)).toEqual([]);
});

test('200 a job that I hold is due soon from two hours before its due date, and then overdue; not while it waits', async () => {
  const [id, free] = [await newJobIn(studio, 'accepted'), await newJobIn(studio, 'queued')];
  await hold(id, ben, ben);
  await change(free, sql`due_at = now()`);
  await change(id, sql`created_at = now() - interval '1 day', due_at = now() + interval '3 hours'`);
  expect(await kindsOf(ben, id)).toEqual([]);
  await change(id, sql`due_at = now() + interval '2 hours'`);
  expect(await kindsOf(ben, id)).toEqual(['due_soon']);
  await change(id, sql`due_at = now()`);
  expect(await kindsOf(ben, id)).toEqual(['overdue']);
  expect(await kindsOf(ben, free)).toEqual([]);
  await ask(studio, id);
  expect(await kindsOf(ben, id)).toEqual([]);
});

test('200 a lease that expired, and a job that it parked', async () => {
  const worker = await makeWorker(studio);
  const lost = await leasedJob(studio, worker, 'running');
  const parked = await leasedJob(studio, worker, 'running');
  await change(parked.id, sql`lease_expiries = 4`);
  for (const { id } of [lost, parked]) await runOut(studio, id);
  await sweep(studio);
  expect(await kindsOf(ben, lost.id)).toEqual(['lease_lost']);
  expect(await kindsOf(ben, parked.id)).toEqual(['parked']);
  await post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${lost.id}/accept`);
  expect(await kindsOf(ben, lost.id)).toEqual([]);
});

test('400 invalid_request: a time without a zone', async () => {
  const { status, body } = await read(ben, '?raised_after=2026-01-01');
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});

test('200 a job that an operator released is no lost lease', async () => {
  const id = await newJobIn(studio, 'accepted');
  expect((await post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${id}/release`)).status).toBe(200);
  expect(await kindsOf(ben, id)).toEqual([]);
});

test('200 a job that its worker released is no alert, unless that parks it', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker);
  expect((await moveAs(studio, worker, id, 'release', token)).status).toBe(200);
  expect(await kindsOf(ben, id)).toEqual([]);
  await change(id, sql`lease_expiries = 5`);
  expect(await kindsOf(ben, id)).toEqual(['parked']);
});
