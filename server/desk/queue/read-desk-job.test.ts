import { beforeAll, expect, test } from 'vitest';
import { showId } from '../../lib/id.ts';
import {
  makeMoves,
  newJob,
  newJobIn,
  pathOf,
  post,
  sharedStudio,
  readJob,
  type Studio,
  unknownJob,
} from '../../../test/support/jobs.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const read = (id: string) => studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token });
const isTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test('200 shows what the customer sees, and account, holder, notes and submissions', async () => {
  const id = await newJobIn(studio, 'needs_review');
  await makeMoves(studio, id, 'return', 'submit', 'return');
  const { status, body } = await read(id);
  const customers = await readJob(studio.service, studio.key, id);
  expect(status).toBe(200);
  const { metadata: _, ...shared } = customers.job; // the customer's own
  const operatorId = showId('user', studio.operator.userId);
  const created_by = { kind: 'user', id: operatorId, name: 'Operator' };
  const note = { id: expect.stringMatching(/^note_/), body: 'internal note', created_by, created_at: isTime };
  const submission = { message: 'The first version.', created_at: isTime };
  expect(body).toEqual({
    job: {
      ...shared,
      account: { id: showId('acct', studio.ada.accountId), name: 'Ada Lovelace', standing: null },
      holder: {
        operator_id: operatorId,
        worker_key_id: null,
        name: expect.any(String),
        since: body.job.status_changed_at,
        lease_expires_at: null,
      },
      parked: false,
      overdue: false,
      set_aside: null,
      checklist: [],
      times: [],
      quality_review: true,
      other_reviewer: false,
      worked_by: showId('user', studio.operator.userId),
      round_operators: [showId('user', studio.operator.userId)],
      brand: null,
      done_by: customers.events
        .filter(({ actor }: { actor: string }) => actor === 'operator')
        .map((event: { id: string }) => ({ event_id: event.id, name: 'Operator' })),
      submissions: [submission, submission],
      account_note: null,
      notes: [note, note],
    },
    events: customers.events,
  });
});

test('200 names who of the studio did it, and no person of the customer', async () => {
  const id = await newJob(studio.service, studio.ada.token);
  await makeMoves(studio, id, 'accept', 'start');
  await post(studio.service, studio.ada.token, pathOf('cancel', id));
  const { body } = await read(id);
  const doers = body.events.map((event: { id: string; actor: string }) => [
    event.actor,
    body.job.done_by.find(({ event_id }: { event_id: string }) => event_id === event.id)?.name,
  ]);
  expect(doers).toContainEqual(['operator', 'Operator']);
  expect(doers.filter(([actor]: [string]) => actor === 'customer')).toEqual([
    ['customer', undefined],
    ['customer', undefined],
  ]);
});

test.each([
  ['queued', false],
  ['accepted', true],
  ['running', true],
  ['needs_review', false],
  ['ready_for_customer_review', false],
  ['completed', false],
  ['rejected', false],
  ['canceled', false],
] as const)('200 for a job that is %s: held by the operator: %s', async (status, held) => {
  const id = await newJobIn(studio, status);
  expect((await read(id)).body.job.holder !== null).toBe(held);
});

test.each([unknownJob, 'nonsense'])('404 job_not_found: %s', async (id) => {
  const { status, body } = await read(id);
  expect([status, body.error.code]).toEqual([404, 'job_not_found']);
});
