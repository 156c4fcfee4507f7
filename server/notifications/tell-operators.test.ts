import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sharedStudio, newJobIn, pathOf, post, type Studio, uuidOf } from '../../test/support/jobs.ts';
import { choose, mailsTo, sendMails, toldTo, unreadOf } from '../../test/support/notifications.ts';
import { makeOperator, type TestPerson } from '../../test/support/people.ts';
import { leasedJob, makeWorker, moveAs } from '../../test/support/workers.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
let ben: TestPerson;
let lead: TestPerson;
beforeAll(async () => void (studio = await sharedStudio()));
/** Everybody is new, so that nothing was told before. */
beforeEach(async () => {
  [ben, lead] = [await makeOperator(studio.service, 'maker'), await makeOperator(studio.service, 'lead')];
});

const move = (
  by: TestPerson,
  id: string,
  verb: 'accept' | 'start' | 'submit' | 'return' | 'reject' | 'release' | 'pass',
  body: object = {},
) => post(studio.service, by.token, pathOf(verb, id), body);
const hold = (by: TestPerson, id: string, to = by) =>
  post(studio.service, by.token, `/api/operator/v1/jobs/${id}/hold`, { operator_id: showId('user', to.userId) });

/** A job that Ben has begun, or submitted. */
async function jobOfBen(submitted = false): Promise<string> {
  const id = await newJobIn(studio, 'queued');
  await move(ben, id, 'accept');
  await move(ben, id, 'start');
  if (submitted) await move(ben, id, 'submit', { message: 'Here.' });
  return id;
}

const toldAtDesk = async (person: TestPerson) =>
  (await toldTo(studio.service, person, 'studio')).map(
    ({ kind, title, read_at }: { kind: string; title: string; read_at: string | null }) =>
      `${kind}: ${title}${read_at === null ? '' : ', seen'}`,
  );
const alertsOf = async ({ token }: TestPerson) => {
  const after = new Date(Date.now() - 3_600_000).toISOString();
  const path = `/api/operator/v1/alerts?raised_after=${after}`;
  const { alerts } = (await studio.service.call('GET', path, { as: token })).body;
  return alerts.map(({ kind, job_id }: { kind: string; job_id: string }) => [kind, job_id]);
};

test('returned work is told to its maker with the note, by mail, until it is submitted again', async () => {
  const id = await jobOfBen(true);
  await move(lead, id, 'return', { note: 'The margins are too small.' });
  expect(await toldTo(studio.service, ben, 'studio')).toMatchObject([
    {
      kind: 'returned',
      title: 'Returned to you',
      job_id: id,
      path: `/desk/jobs/${id}`,
      words: { author: 'Operator', text: 'The margins are too small.' },
    },
  ]);
  expect(await alertsOf(ben)).toContainEqual(['returned', id]);
  await sendMails(studio.service);
  expect(mailsTo(studio.service, ben).map(({ subject }) => subject)).toEqual([
    expect.stringContaining('Returned to you'),
  ]);
  expect(await toldAtDesk(lead)).toEqual(['in_review: Work waits for review, seen']);
  await move(ben, id, 'submit', { message: 'Wider.' });
  expect(await toldAtDesk(ben)).toEqual(['returned: Returned to you, seen']);
  expect(await alertsOf(ben)).not.toContainEqual(['returned', id]);
});

test('a customer cancels: who worked on it is told, also after the submit, and nobody else', async () => {
  const [running, submitted] = [await jobOfBen(), await jobOfBen(true)];
  for (const id of [running, submitted]) await post(studio.service, studio.key, pathOf('cancel', id));
  expect(await toldAtDesk(ben)).toEqual(Array(2).fill('canceled: Canceled by the customer'));
  expect((await toldAtDesk(lead)).filter((told: string) => told.startsWith('canceled'))).toEqual([]);
});

test.each([
  ['taken over', 'taken_over: Taken over by Operator', (id: string) => hold(lead, id)],
  ['handed to a third', 'taken_over: Handed on by Operator', async (id: string) => hold(lead, id, studio.operator)],
  ['released', 'taken_over: Released by Operator', (id: string) => move(lead, id, 'release')],
  [
    'rejected',
    'rejected_by_colleague: Rejected by Operator',
    (id: string) => move(lead, id, 'reject', { code: 'unclear', message: 'We cannot read the brief.' }),
  ],
])('a job is %s by a colleague: its holder is told, once', async (_how, told, happen) => {
  const id = await jobOfBen();
  expect((await happen(id)).status).toBe(200);
  expect(await toldAtDesk(ben)).toEqual([told]);
  expect(await toldAtDesk(lead)).toEqual([]);
});

test('what one did oneself tells nobody, and neither does a job that one has muted', async () => {
  const [released, muted] = [await jobOfBen(), await jobOfBen()];
  await move(ben, released, 'release');
  await studio.service.call('PUT', `/api/operator/v1/jobs/${muted}/following`, {
    as: ben.token,
    body: { following: false },
  });
  await hold(lead, muted);
  await hold(lead, muted, lead);
  expect(await toldAtDesk(ben)).toEqual([]);
  expect(await toldAtDesk(lead)).toEqual([]);
});

test('work that waits for review is told to those who may pass it and whose service it is, until it is decided', async () => {
  const other = await makeOperator(studio.service, 'reviewer');
  await studio.service.call('PATCH', `/api/operator/v1/operators/${showId('user', other.userId)}`, {
    as: studio.operator.token,
    body: { service_families: ['data'] },
  });
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker, 'running');
  await moveAs(studio, worker, id, 'submit', token);
  const told = 'in_review: Work waits for review';
  expect([await toldAtDesk(lead), await toldAtDesk(ben), await toldAtDesk(other)]).toEqual([[told], [], []]);
  expect(await alertsOf(lead)).toContainEqual(['in_review', id]);
  await move(studio.operator, id, 'pass');
  expect(await toldAtDesk(lead)).toEqual([`${told}, seen`]);
});

test('where another than the maker reviews, who worked on it in this round is not told', async () => {
  const id = await newJobIn(studio, 'queued');
  await sql`update jobs set other_reviewer = true where id = ${uuidOf('job', id)}`.execute(studio.service.context.db);
  await move(lead, id, 'accept');
  await move(lead, id, 'start');
  await hold(lead, id, ben);
  const third = await makeOperator(studio.service, 'reviewer');
  await move(ben, id, 'submit', { message: 'Here.' });
  expect([await toldAtDesk(lead), await toldAtDesk(third)]).toEqual([[], ['in_review: Work waits for review']]);
});

test('opening the job at the desk marks what was told of it as seen, not what comes while it is open', async () => {
  const id = await jobOfBen();
  const view = () =>
    studio.service.call('PUT', `/api/operator/v1/jobs/${id}/viewing`, { as: ben.token, body: { viewing: true } });
  await hold(lead, id);
  expect(await unreadOf(studio.service, ben, 'studio')).toBe(1);
  await view();
  expect(await unreadOf(studio.service, ben, 'studio')).toBe(0);
  await hold(lead, id, ben);
  await post(studio.service, studio.key, pathOf('cancel', id));
  await view();
  expect((await toldAtDesk(ben)).filter((told: string) => !told.endsWith(', seen'))).toEqual([
    'canceled: Canceled by the customer',
  ]);
});

test('each kind is a choice, and the version before does not read what it has no words for', async () => {
  await choose(studio.service, ben, ['canceled'], 'never');
  const id = await jobOfBen();
  await post(studio.service, studio.key, pathOf('cancel', id));
  await sendMails(studio.service);
  expect(mailsTo(studio.service, ben)).toEqual([]);
  const { rows } =
    await sql`select side from notifications where job_id = ${uuidOf('job', id)} and user_id = ${ben.userId}`.execute(
      studio.service.context.db,
    );
  expect(rows).toEqual([{ side: 'desk' }]);
});
