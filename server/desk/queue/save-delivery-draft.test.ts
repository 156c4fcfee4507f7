import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { newDeliverable, newFile, someBytes, unknownFile } from '../../../test/support/files.ts';
import { sharedStudio, makeMoves, newCustomer, newJob, newJobIn, post } from '../../../test/support/jobs.ts';
import { type Studio, tryMove, uuidOf } from '../../../test/support/jobs.ts';
import { closeAccount, makeOperator, type TestPerson } from '../../../test/support/people.ts';
import { leasedJob, makeWorker } from '../../../test/support/workers.ts';
import { showId } from '../../lib/id.ts';

let studio: Studio;
let ben: TestPerson;
beforeAll(async () => {
  studio = await sharedStudio();
  ben = await makeOperator(studio.service);
});

const olga = () => studio.operator;
const path = (id: string) => `/api/operator/v1/jobs/${id}/draft`;
const save = (id: string, body: object, as = olga().token) => studio.service.call('PUT', path(id), { as, body });
const draftOf = async (id: string, as = olga().token) =>
  (await studio.service.call('GET', path(id), { as })).body.draft;
const newWork = async (id: string) => (await newDeliverable(studio.service, olga().token, id, someBytes())).id;
const empty = { message: '', file_ids: [], created_by: null, saved_at: null };
const text = (message: string) => ({ message, file_ids: [] });

test('200 with message and files in the order sent; the next one replaces it', async () => {
  const id = await newJobIn(studio, 'running');
  const files = [await newWork(id), await newWork(id), await newWork(id)].toReversed();
  const { status, body } = await save(id, { message: ' Three versions.\n', file_ids: files });
  expect([status, body.draft]).toEqual([
    200,
    {
      message: ' Three versions.\n',
      file_ids: files,
      created_by: { kind: 'user', id: showId('user', olga().userId), name: 'Operator' },
      saved_at: expect.stringMatching(/Z$/),
    },
  ]);
  expect(await draftOf(id)).toEqual(body.draft);
  await save(id, { message: '', file_ids: files.slice(1) });
  expect(await draftOf(id)).toMatchObject({ message: '', file_ids: files.slice(1) });
});

test('200: the draft survives a release and a hand-over, and the next holder goes on with it', async () => {
  const id = await newJobIn(studio, 'running');
  const files = [await newWork(id)];
  await save(id, { message: 'Half a sentence', file_ids: files });
  await makeMoves(studio, id, 'release', 'accept');
  expect(await draftOf(id)).toMatchObject({ message: 'Half a sentence', file_ids: files });
  await post(studio.service, olga().token, `/api/operator/v1/jobs/${id}/hold`, {
    operator_id: showId('user', ben.userId),
  });
  expect(await draftOf(id, ben.token)).toMatchObject({ message: 'Half a sentence', file_ids: files });
  const saved = await save(id, { message: 'Half a sentence, ended.', file_ids: files }, ben.token);
  expect(saved.body.draft.created_by.id).toBe(showId('user', ben.userId));
});

test('200: the draft is gone once the job is submitted, rejected or canceled', async () => {
  for (const move of ['submit', 'reject', 'cancel'] as const) {
    const id = await newJobIn(studio, move === 'submit' ? 'running' : 'accepted');
    expect((await save(id, text(`Until ${move}.`))).status).toBe(200);
    expect((await tryMove(studio, id, move)).status).toBe(200);
    expect(await draftOf(id), move).toEqual(empty);
  }
});

test('200: the draft is gone once the account is closed', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const id = await newJob(studio.service, key);
  await makeMoves(studio, id, 'accept');
  await save(id, text('For nobody.'));
  await closeAccount(studio.service, person);
  const { rows } = await sql`select from job_drafts where job_id = ${uuidOf('job', id)}`.execute(
    studio.service.context.db,
  );
  expect(rows).toEqual([]);
});

test('200: customers and workers never read it', async () => {
  const id = await newJobIn(studio, 'running');
  await save(id, text('Not to be seen.'));
  const worker = await makeWorker(studio);
  for (const as of [studio.key, studio.ada.token, worker]) {
    expect((await studio.service.call('GET', path(id), { as })).status).toBe(403);
    expect((await save(id, text(''), as)).status).toBe(403);
  }
  const { body } = await studio.service.call('GET', `/api/v1/jobs/${id}`, { as: studio.key });
  expect(JSON.stringify(body)).not.toContain('Not to be seen.');
});

test.each(['queued', 'needs_review', 'ready_for_customer_review', 'completed'] as const)(
  '409 invalid_transition: a job that is %s has no holder',
  async (status) => {
    const id = await newJobIn(studio, status);
    const { status: got, body } = await save(id, text('Mine.'));
    expect([got, body.error.code]).toEqual([409, 'invalid_transition']);
  },
);

test('409 invalid_transition: another operator or a worker holds the job, and its draft stays', async () => {
  const id = await newJobIn(studio, 'running');
  await save(id, text('Of Olga.'));
  const { status, body } = await save(id, text('Of Ben.'), ben.token);
  expect([status, body.error.code]).toEqual([409, 'invalid_transition']);
  expect(await draftOf(id)).toMatchObject({ message: 'Of Olga.' });
  const leased = await leasedJob(studio, await makeWorker(studio), 'running');
  expect((await save(leased.id, text('Of Olga.'))).body.error.code).toBe('invalid_transition');
});

test('422 invalid_request: files of another job, of the customer, delivered, unknown; a long message; no files', async () => {
  const id = await newJobIn(studio, 'running');
  const elsewhere = await newWork(await newJobIn(studio, 'running'));
  const source = (await newFile(studio.service, studio.key, someBytes(), { job_id: id })).id;
  const delivered = await newWork(id);
  await post(studio.service, olga().token, `/api/operator/v1/jobs/${id}/submit`, { file_ids: [delivered] });
  await makeMoves(studio, id, 'pass', 'revision');
  const bad = [elsewhere, source, delivered, unknownFile].map((file) => ({ message: '', file_ids: [file] }));
  for (const body of [...bad, text('x'.repeat(10_001)), text('nul\u0000'), { message: '' }]) {
    const answer = await save(id, body);
    expect([answer.status, answer.body.error?.code], JSON.stringify(body)).toEqual([422, 'invalid_request']);
  }
  expect(await draftOf(id)).toEqual(empty);
});
