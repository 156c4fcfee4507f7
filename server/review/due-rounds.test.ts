import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { catalogWith } from '../../test/support/catalog.ts';
import { bodies, createStudio, makeMoves, newJobIn, post, readJob, type Studio } from '../../test/support/jobs.ts';

let studio: Studio;
const catalog = catalogWith([
  ['revision_hours: 36', 'revision_hours: 24'],
  ['        revision_hours: 48\n', ''],
]);
beforeAll(async () => void (studio = await createStudio({ CATALOG_DIR: catalog })));
afterAll(async () => {
  await studio.service.close();
  rmSync(catalog, { recursive: true });
});

const revise = (id: string) => post(studio.service, studio.key, `/api/v1/jobs/${id}/revision`, bodies.revision);
const read = (id: string) => readJob(studio.service, studio.key, id);
const atDesk = async (id: string) =>
  (await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token })).body.job;

test('each round of an option with revision_hours is due so long after the changes were requested', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  for (const due_round of [1, 2]) {
    const { body } = await revise(id);
    const { job, events } = await read(id);
    const asked = events.at(-1);
    expect(asked).toMatchObject({ type: 'job.revision_requested', data: { due_at: job.due_at } });
    expect(job).toMatchObject({ status: 'accepted', due_round, due_at: body.job.due_at });
    expect(Math.round((Date.parse(job.due_at) - Date.parse(asked.created_at)) / 3_600_000)).toBe(24);
    await makeMoves(studio, id, 'start', 'submit', 'pass');
  }
});

test('a round is overdue after its due date, and no longer once it is delivered', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  await revise(id);
  expect((await atDesk(id)).overdue).toBe(false);
  const late = { due_at: new Date(Date.now() - 60_000) };
  await studio.service.context.db.updateTable('jobs').set(late).where('due_round', '=', 1).execute();
  expect((await atDesk(id)).overdue).toBe(true);
  await makeMoves(studio, id, 'start', 'submit', 'pass');
  expect((await atDesk(id)).overdue).toBe(false);
});

test('a question in a round stops its clock, and the answer moves its due date by the time waited', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  await revise(id);
  const { job: before } = await read(id);
  const question = { text: 'Which green?', question: true };
  const { body: asked } = await post(
    studio.service,
    studio.operator.token,
    `/api/operator/v1/jobs/${id}/messages`,
    question,
  );
  const { body: answered } = await post(studio.service, studio.key, `/api/v1/jobs/${id}/messages`, { text: 'Dark.' });
  const { job } = await read(id);
  const waited = Date.parse(answered.message.created_at) - Date.parse(asked.message.created_at);
  expect(Date.parse(job.due_at) - Date.parse(before.due_at)).toBe(waited);
  expect(job.due_round).toBe(1);
});

test('without revision_hours the due date of the first delivery stays, and is for that round only', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review', {
    service_family: 'design',
    service_type: 'landing_page',
  });
  const { job: before } = await read(id);
  await revise(id);
  const { job, events } = await read(id);
  expect(job).toMatchObject({ due_at: before.due_at, due_round: 0, revisions: { used: 1 } });
  expect(events.at(-1).data).toEqual({ round: 0 });
});

test('a job keeps the hours that the catalog had when it was created', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  const option = studio.service.context.catalog.families.get('design')?.options.find((one) => one.id === 'logo');
  if (!option) throw new Error('The catalog has no logo.');
  option.revision_hours = null;
  await revise(id);
  expect((await read(id)).job.due_round).toBe(1);
  option.revision_hours = 24;
});

test('the catalog tells the hours of a round, and null where there are none', async () => {
  const { body } = await studio.service.call('GET', '/api/v1/catalog');
  const [logo, page] = body.service_families[0].service_options;
  expect([logo.revision_hours, page.revision_hours]).toEqual([24, null]);
});
