import { beforeAll, expect, test } from 'vitest';
import { view } from '../../test/support/account-views.ts';
import { bytesOf, newDeliverable, newFile, reachable, someBytes } from '../../test/support/files.ts';
import type { As } from '../../test/support/harness.ts';
import { makeMoves, newCustomer, newJobIn, post, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { makeKey } from '../../test/support/people.ts';
import { deliverFiles, deliverTo, newReviewLink, revoke } from '../../test/support/review-links.ts';
import { leasedJob, makeWorker } from '../../test/support/workers.ts';
import { unzip } from '../../test/support/zip.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

type Terms = { round?: number; lease_token?: string };
const create = (as: As, id: string, body: Terms = {}) => post(studio.service, as, `/api/v1/jobs/${id}/archive`, body);
const atDesk = (as: As, id: string, body: Terms = {}) =>
  post(studio.service, as, `/api/operator/v1/jobs/${id}/archive`, body);
const asGuest = (as: As, body: Terms = {}) => post(studio.service, as, '/api/v1/review/archive', body);

async function fetched(url: string) {
  const answer = await fetch(reachable(studio.service, url));
  const bytes = await bytesOf(answer);
  expect([answer.status, Number(answer.headers.get('content-length'))]).toEqual([200, bytes.length]);
  return { entries: unzip(bytes), headers: answer.headers };
}
const namesIn = async (answer: Awaited<ReturnType<typeof create>>) => {
  expect(answer.status).toBe(200);
  const { entries } = await fetched(answer.body.download.url);
  expect(entries.length).toBe(answer.body.files);
  return entries.map(({ name }) => name);
};

test('200: a zip with the bytes of each file of a delivery, under its own name, which is made unique', async () => {
  const job = await newJobIn(studio, 'running');
  const names = [
    'same.png',
    'SAME.png',
    'Cafe\u0301.png',
    'Caf\u00e9.png',
    '../../etc/passwd',
    'CON.png',
    'same (2).png',
  ];
  const contents = names.map(() => someBytes());
  const files: string[] = [];
  for (const [at, file_name] of names.entries())
    files.push((await newDeliverable(studio.service, studio.operator.token, job, contents[at]!, { file_name })).id);
  await post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${job}/submit`, { file_ids: files });
  await makeMoves(studio, job, 'pass');
  const { body } = await create(studio.key, job, { round: 0 });
  expect(body).toMatchObject({
    file_name: 'Logo for a neighbourhood bakery, delivery 1.zip',
    files: 7,
    size_bytes: 14_000,
  });
  const { entries, headers } = await fetched(body.download.url);
  expect(headers.get('content-type')).toBe('application/zip');
  expect(headers.get('cache-control')).toBe('private, no-store');
  expect(headers.get('content-disposition')).toContain('Logo for a neighbourhood bakery, delivery 1.zip');
  expect(entries.map(({ name }) => name)).toEqual([
    'same.png',
    'SAME (2).png',
    'Café.png',
    'Café (2).png',
    '_.._etc_passwd.png',
    '_CON.png',
    'same (2) (2).png',
  ]);
  expect(entries.map(({ bytes }) => bytes)).toEqual(contents);
  expect(entries.every(({ utf8 }) => utf8)).toBe(true);
});

test('200: a whole job, in folders, for whoever may see what', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  await newFile(studio.service, studio.key, someBytes(), { job_id: job, file_name: 'brief.png' });
  await makeMoves(studio, job, 'revision', 'start');
  const own = ['Delivery 1/one.png', 'Your files/brief.png'];
  await newDeliverable(studio.service, studio.operator.token, job, someBytes(), { file_name: 'draft.png' });
  expect(await namesIn(await create(studio.key, job))).toEqual(own);
  expect(await namesIn(await create(await makeKey(studio.service, studio.ada, ['api:read']), job))).toEqual(own);
  const desk = ['Delivery 1/one.png', 'Files of the customer/brief.png', 'Not delivered/draft.png'];
  expect(await namesIn(await atDesk(studio.operator.token, job))).toEqual(desk);
  const { guest } = await newReviewLink(studio, job);
  expect(await namesIn(await asGuest(guest))).toEqual(['Delivery 1/one.png']);
  expect(await namesIn(await asGuest(guest, { round: 0 }))).toEqual(['one.png']);
  await deliverTo(studio, job, 'two.png');
  expect(await namesIn(await create(studio.ada.token, job, { round: 1 }))).toEqual(['two.png']);
});

test('303 for pages of the account and of the desk, which no cache may keep', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  for (const [as, path] of [
    [studio.ada.token, `/api/v1/jobs/${job}/archive?round=0`],
    [studio.operator.token, `/api/operator/v1/jobs/${job}/archive?round=0`],
  ] as const) {
    const { status, headers } = await studio.service.call('GET', path, { as });
    expect([status, headers.get('cache-control')]).toEqual([303, 'no-store']);
    const { entries } = await fetched(headers.get('location') ?? '');
    expect(entries.map(({ name }) => name)).toEqual(['one.png']);
  }
});

test('200 for the worker that holds the job, until it does not any more', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker);
  await newFile(studio.service, studio.key, someBytes(), { job_id: id, file_name: 'brief.png' });
  const answer = await atDesk(worker, id, { lease_token: token });
  expect(await namesIn(answer)).toEqual(['Files of the customer/brief.png']);
  expect((await atDesk(await makeWorker(studio), id, { lease_token: token })).body.error.code).toBe('lease_lost');
  expect((await atDesk(worker, id)).status).toBe(422);
  await post(studio.service, worker, `/api/operator/v1/jobs/${id}/release`, { lease_token: token });
  expect((await fetch(reachable(studio.service, answer.body.download.url))).status).toBe(404);
});

test('404: a job of another account, a job without files, work that is not delivered, a link that ended', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  const { key } = await newCustomer(studio.service, 'agent');
  expect((await create(key, job)).body.error.code).toBe('job_not_found');
  expect((await create(studio.key, 'x')).body.error.code).toBe('job_not_found');
  expect((await create(studio.key, job, { round: 1 })).body.error.code).toBe('file_not_found');
  const running = await newJobIn(studio, 'running');
  await newDeliverable(studio.service, studio.operator.token, running, someBytes());
  expect((await create(studio.key, running)).body.error.code).toBe('file_not_found');
  const waiting = await newReviewLink(studio, running);
  expect((await asGuest(waiting.guest)).body.error.code).toBe('file_not_found');
  await revoke(studio, waiting);
  expect((await asGuest(waiting.guest)).body.error.code).toBe('review_link_not_found');
});

test('the audit has what the studio downloads: once a job, by operators at the desk and in a view', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  const entries = async () => {
    const path = `/api/operator/v1/audit?subject=${job}&action=file.downloaded_at_desk`;
    return (await studio.service.call('GET', path, { as: studio.operator.token })).body.audit_entries;
  };
  await create(studio.key, job);
  expect(await entries()).toEqual([]);
  await view(studio);
  const { status } = await studio.service.call('GET', `/api/v1/jobs/${job}/archive`, { as: studio.operator.token });
  expect(status).toBe(303);
  await atDesk(studio.operator.token, job);
  expect(await entries()).toMatchObject([{ actor: 'operator', details: { job_id: job, files: 1 } }]);
});
