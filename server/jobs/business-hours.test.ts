import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BusinessHours, hoursAfter } from '../../contract/studio/business-time.ts';
import { catalogWith } from '../../test/support/catalog.ts';
import { newFile } from '../../test/support/files.ts';
import { readySession } from '../../test/support/intake.ts';
import { bodies, createStudio, draft, newJob, newJobIn, post, readJob, type Studio } from '../../test/support/jobs.ts';

const text = `time_zone: Europe/Berlin
hours: { mon: [09:00-12:00], tue: [09:00-12:00], thu: [14:00-18:00], sat: [00:00-24:00] }
holidays: [2026-12-26, 2027-01-02]
`;
const catalog = catalogWith([['revision_hours: 36', 'revision_hours: 24']], {
  'studio.yaml': text,
});
let studio: Studio;
let hours: BusinessHours;
beforeAll(async () => {
  studio = await createStudio({ CATALOG_DIR: catalog });
  hours = (await studio.service.call('GET', '/api/v1/catalog')).body.business_hours;
});
afterAll(async () => {
  await studio.service.close();
  rmSync(catalog, { recursive: true });
});

const turnaround = 72;
const minutes = 60_000;
const read = async (id: string) => (await readJob(studio.service, studio.key, id)).job;

/** Counted from a moment shortly before, when the service asked the database for the time. */
function expectCounted(due: string, from: string, count: number): void {
  expect(Date.parse(due)).toBeLessThanOrEqual(hoursAfter(hours, Date.parse(from), count));
  expect(Date.parse(due)).toBeGreaterThanOrEqual(hoursAfter(hours, Date.parse(from) - 5 * minutes, count));
}

test('a job is due after the turnaround in business hours', async () => {
  const job = await read(await newJob(studio.service, studio.key));
  expectCounted(job.due_at, job.created_at, turnaround);
});

test('a job with files and one of a brief are due so long after their creation, to the millisecond', async () => {
  const { id: file } = await newFile(studio.service, studio.key, Buffer.from('hello'));
  const withFile = await newJob(studio.service, studio.key, { file_ids: [file] });
  const { id: session } = await readySession(studio.service, studio.key);
  const { body } = await post(studio.service, studio.key, `/api/v1/intake/sessions/${session}/confirm`, {});
  for (const id of [withFile, body.job.id]) {
    const job = await read(id);
    const option = studio.service.context.catalog.families
      .get(job.service_family)
      ?.options.find((one) => one.id === job.service_type);
    const due = hoursAfter(hours, Date.parse(job.created_at), option?.turnaround_hours ?? 0);
    expect(Date.parse(job.due_at)).toBe(due);
  }
});

test('preflight says when the first delivery would be, and judges a wish by it', async () => {
  const ask = async (wanted_by: number) => {
    const body = { ...draft, wanted_by: new Date(wanted_by).toISOString() };
    return (await post(studio.service, studio.key, '/api/v1/jobs/preflight', body)).body.preflight;
  };
  const due = (at: number) => hoursAfter(hours, at, turnaround);
  const [before, later] = [due(Date.now() - 5 * minutes), due(Date.now() + 5 * minutes)];
  const easy = await ask(later + 60 * minutes);
  expect(easy.wanted_by).toEqual({ fits: true, earliest: easy.first_delivery_at });
  expect(Date.parse(easy.first_delivery_at)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(easy.first_delivery_at)).toBeLessThanOrEqual(later);
  expect((await ask(before - 60 * minutes)).wanted_by.fits).toBe(false);
});

test('a round of changes is due after its business hours', async () => {
  const id = await newJobIn(studio, 'ready_for_customer_review');
  await post(studio.service, studio.key, `/api/v1/jobs/${id}/revision`, bodies.revision);
  const { job, events } = await readJob(studio.service, studio.key, id);
  const requestedAt = Date.parse(events.at(-1).created_at);
  expect(Date.parse(job.due_at)).toBeGreaterThanOrEqual(hoursAfter(hours, requestedAt - 1, 24));
  expect(Date.parse(job.due_at)).toBeLessThanOrEqual(hoursAfter(hours, requestedAt + 5 * minutes, 24));
});

test('a question moves the due date by the time waited, whatever the hours', async () => {
  const id = await newJobIn(studio, 'running');
  const before = await read(id);
  const path = `/api/operator/v1/jobs/${id}/messages`;
  const question = await post(studio.service, studio.operator.token, path, { text: 'Which?', question: true });
  const answered = await post(studio.service, studio.key, `/api/v1/jobs/${id}/messages`, { text: 'That.' });
  const waited = Date.parse(answered.body.message.created_at) - Date.parse(question.body.message.created_at);
  expect(Date.parse((await read(id)).due_at) - Date.parse(before.due_at)).toBe(waited);
});

test('the concierge promises business hours', async () => {
  const { body } = await post(studio.service, studio.key, '/api/v1/intake/sessions', {
    service_family: 'design',
    service_type: 'logo',
  });
  const said = JSON.stringify(body.intake_session.messages);
  expect(said).toContain(
    'within 72 business hours of the order, with 3 rounds of changes included, each planned within 24',
  );
});
