import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { readId, showId } from '../../lib/id.ts';
import { deskMove } from '../../../test/support/desk-moves.ts';
import { said } from '../../../test/support/every-endpoint.ts';
import { newDeliverable, newFile, someBytes, unknownFile, wish } from '../../../test/support/files.ts';
import {
  activeJobsOf,
  makeMoves,
  newJobIn,
  sharedStudio,
  pathOf,
  post,
  readJob,
  type Studio,
  tryMove,
} from '../../../test/support/jobs.ts';
import { newJobToCheck, tick } from '../../../test/support/makers-hours.ts';
import { makeOperator } from '../../../test/support/people.ts';
import { fence, leasedJob, makeWorker, moveAs } from '../../../test/support/workers.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const submit = deskMove(() => studio, 'submit');

test('200 from running: the job after the move', submit.works);
test('200 again with the same Idempotency-Key: one move', submit.happensOncePerKey);
test('200 for one of three at the same moment', submit.isWonByOne);
test('409 invalid_transition: from any other status', submit.isRefusedElsewhere);
test('422 idempotency_key_conflict: the same key with another body', () =>
  submit.refusesAnotherBodyWithTheKey({ message: 'Another version.' }));
test('422 invalid_request: an unknown field, a bad Idempotency-Key, a message that is none', () =>
  submit.refusesBodies({ message: '' }, { message: ' ' }, { message: 'x'.repeat(10_001) }, { message: null }));

test('409 invalid_transition: a job that another operator holds', async () => {
  const id = await newJobIn(studio, 'running');
  const other = await makeOperator(studio.service);
  const { status, body } = await post(studio.service, other.token, pathOf('submit', id), { message: 'Mine.' });
  expect([status, body.error.code]).toEqual([409, 'invalid_transition']);
  expect((await submit.seen(id)).job.status).toBe('running');
});

test('200 ends the hold; the customer reads the message once the work is passed on', async () => {
  const id = await newJobIn(studio, 'running');
  const { body } = await submit.ask(id, { message: 'Look at the kerning.' });
  expect(body.job).toMatchObject({ holder: null, submissions: [{ message: 'Look at the kerning.' }], deliveries: [] });
  expect(JSON.stringify(await submit.seen(id))).not.toContain('kerning');
  await makeMoves(studio, id, 'pass');
  const released_at = expect.stringMatching(/Z$/);
  expect((await submit.seen(id)).job.deliveries).toEqual([
    { round: 0, message: 'Look at the kerning.', file_ids: [], released_at },
  ]);
});

test('200 round by round: a returned message stays at the desk, files stand with the message they came with', async () => {
  const id = await newJobIn(studio, 'running');
  await submit.ask(id, { message: 'Too early.' });
  await makeMoves(studio, id, 'return');
  const first = await newDeliverable(studio.service, studio.operator.token, id, someBytes());
  await submit.ask(id, { file_ids: [first.id] });
  await makeMoves(studio, id, 'pass', 'revision', 'start');
  const second = await newDeliverable(studio.service, studio.operator.token, id, someBytes());
  await submit.ask(id, { message: 'Rounder.', file_ids: [second.id] });
  const deliveries = [{ round: 0, message: null, file_ids: [first.id] }];
  expect((await submit.seen(id)).job.deliveries).toMatchObject(deliveries);
  await makeMoves(studio, id, 'pass');
  const { job } = await submit.seen(id);
  expect(job.deliveries).toMatchObject([...deliveries, { round: 1, message: 'Rounder.', file_ids: [second.id] }]);
  expect(JSON.stringify(job)).not.toContain('Too early.');
});

test.each([[undefined], [{}], [{ file_ids: [] }]])(
  '422 invalid_request: nothing for the customer, as %j',
  async (given) => {
    const id = await newJobIn(studio, 'running');
    const { status, body } = await post(studio.service, studio.operator.token, pathOf('submit', id), given);
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
    expect((await submit.seen(id)).job.status).toBe('running');
  },
);

test('200 of an option without quality review goes straight to the customer, who gets time to review', async () => {
  const id = await newJobIn(studio, 'running', { service_type: 'image_cutout' });
  const active = await activeJobsOf(studio.service, studio.ada);
  const { job } = (await submit.ask(id)).body;
  expect(job).toMatchObject({ status: 'ready_for_customer_review', quality_review: false });
  expect(Date.parse(job.review_due_at) - Date.parse(job.status_changed_at)).toBe(48 * 3600_000);
  expect(await activeJobsOf(studio.service, studio.ada)).toBe(active);
});

const leased = fence(() => studio, 'submit');

test('409 lease_lost: the token of another worker, of another job, of nobody', leased.keepsStrangersOut);
test('409 lease_lost: after the time, noticed or not, and under a later lease', leased.keepsTheLateOut);
test('409 lease_lost: the lease ended while the move waited for the job', leased.keepsOutWhoWaitedTooLong);
test('409 lease_lost: an operator has already made the move', leased.yieldsToAnOperator);
test('422 invalid_request: a worker without a lease_token', leased.needsAToken);

test('200 by a worker: the hold ends, and a return leaves the job free to claim', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker, 'running');
  const { body } = await moveAs(studio, worker, id, 'submit', token);
  expect(body.job).toMatchObject({ status: 'needs_review', holder: null });
  const path = `/api/operator/v1/jobs/${id}/return`;
  const returned = await post(studio.service, studio.operator.token, path, { note: 'Not yet.' });
  expect(returned.body.job).toMatchObject({ status: 'running', holder: null });
});

test('200 again with the same Idempotency-Key, although the lease has ended; another token conflicts', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker, 'running');
  const ask = (lease_token: string) =>
    post(studio.service, worker, pathOf('submit', id), { lease_token, message: 'Done.' }, 'submit-once');
  const first = await ask(token);
  const second = await ask(token);
  expect([second.status, second.body]).toEqual([200, first.body]);
  expect((await ask('x')).body.error.code).toBe('idempotency_key_conflict');
});

test('422 invalid_request: a file that is not the studio’s, or of another job, or not there yet', async () => {
  const id = await newJobIn(studio, 'running');
  const { service, key, operator } = studio;
  const elsewhere = await newDeliverable(service, operator.token, await newJobIn(studio, 'running'), someBytes());
  const source = await newFile(service, key, someBytes(), { job_id: id });
  for (const file of [elsewhere.id, source.id, unknownFile, 'x']) {
    const { status, body } = await submit.ask(id, { file_ids: [file] });
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
  }
  const { size_bytes, file_name, content_type } = wish(someBytes());
  const path = `/api/operator/v1/jobs/${id}/files/presign`;
  const pending = await post(service, operator.token, path, { size_bytes, file_name, content_type });
  const early = await submit.ask(id, { file_ids: [pending.body.file.id] });
  expect([early.status, early.body.error.details[0].location]).toEqual([422, '/file_ids/0']);
  expect((await submit.seen(id)).job.status).toBe('running');
});

/** Files as the studio uploads them, without their bytes. */
async function insertFiles(job: string, count: number): Promise<string[]> {
  const first = await newDeliverable(studio.service, studio.operator.token, job, someBytes());
  const { rows } = await sql<{ id: string }>`
    insert into files (account_id, id, job_id, uploaded_by, purpose, file_name, content_type, declared_bytes,
      retention_days, status, object_key, etag, stored_bytes, uploaded_at)
    select account_id, uuidv7(), job_id, uploaded_by, purpose, 'a photo of the series ' || n || '.png', content_type,
      declared_bytes, retention_days, status, object_key, etag, stored_bytes, uploaded_at
    from files, generate_series(2, ${count}::int) n where id = ${readId('file', first.id)} returning id`.execute(
    studio.service.context.db,
  );
  return [first.id, ...rows.map(({ id }) => showId('file', id))];
}

test('200 with 500 files, in their order; 422 invalid_request with one more, which names the limit', async () => {
  studio = await sharedStudio(); // with quota
  const id = await newJobIn(studio, 'running');
  const file_ids = await insertFiles(id, 501);
  const tooMany = await post(studio.service, studio.operator.token, pathOf('submit', id), { file_ids });
  expect([tooMany.status, tooMany.body.error.details]).toEqual([
    422,
    [{ location: '/file_ids', message: 'must have at most 500 entries' }],
  ]);
  const chosen = file_ids.slice(1).toReversed();
  const draft = { message: '', file_ids: chosen };
  const path = `/api/operator/v1/jobs/${id}/draft`;
  expect((await studio.service.call('PUT', path, { as: studio.operator.token, body: draft })).status).toBe(200);
  const submitted = await post(studio.service, studio.operator.token, pathOf('submit', id), { file_ids: chosen });
  expect(submitted.status).toBe(200);
  if (submitted.body.job.status === 'needs_review') await makeMoves(studio, id, 'pass');
  const { job } = await readJob(studio.service, studio.key, id);
  expect(job.deliveries[0].file_ids).toEqual(chosen);
  expect(JSON.stringify(job).length).toBeLessThan(400_000);
});

test('409 checklist_open: an operator submits with an open item, which the message names', async () => {
  const id = await newJobToCheck(studio, 'running', 'Spelling', 'Bleed');
  await tick(studio, id, 0);
  const refused = await tryMove(studio, id, 'submit');
  expect([said(refused), refused.body.error.message]).toEqual(['409 checklist_open', 'Not ticked: Bleed.']);
  await tick(studio, id, 1);
  expect(said(await tryMove(studio, id, 'submit'))).toBe('200');
});
