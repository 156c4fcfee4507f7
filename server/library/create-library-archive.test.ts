import { beforeAll, expect, test } from 'vitest';
import { fetchArchive, namesIn } from '../../test/support/archives.ts';
import type { As, Got } from '../../test/support/harness.ts';
import { newJobIn, post, sharedStudio, type Studio, uuidOf, withNewCustomer } from '../../test/support/jobs.ts';
import { finishJob } from '../../test/support/library.ts';
import { addMember, makeKey } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const archive = (body: object, as: As = studio.key) => post(studio.service, as, '/api/v1/library/archive', body);

const fresh = () => withNewCustomer(studio);

test('200: the last deliveries, a folder for each job, and no earlier delivery', async () => {
  const of = await fresh();
  const [one] = [await finishJob(of, 'same.png', 'other.png')];
  const two = await finishJob(of, 'same.png');
  const readOnly = await makeKey(of.service, of.ada, ['api:read']);
  const made = await archive({}, readOnly);
  expect(made.body).toMatchObject({ file_name: 'Library, 2 jobs.zip', files: 3, size_bytes: 6_000 });
  const title = 'Logo for a neighbourhood bakery';
  const [first, second] = [`${title}/same.png`, `${title} (2)/same.png`];
  expect(await namesIn(of, made)).toEqual([first, second, `${title} (2)/other.png`]);
  expect(await namesIn(of, await archive({ job_ids: [one.job] }, of.key))).toEqual([first, `${title}/other.png`]);
  expect(await namesIn(of, await archive({ q: 'other.png' }, of.ada.token))).toHaveLength(2);
  const { entries } = await fetchArchive(of, (await archive({ job_ids: [two.job] }, of.key)).body.download.url);
  expect(entries.map(({ bytes }) => bytes.length)).toEqual([2_000]);
});

test('403 limit_reached: more than 2 GiB, unless it is one job; more than 100 jobs', async () => {
  const of = await fresh();
  const [one, two] = [await finishJob(of, 'a.png'), await finishJob(of, 'b.png')];
  await of.service.context.db
    .updateTable('files')
    .set({ stored_bytes: 1_200_000_000, declared_bytes: 1_200_000_000 })
    .where('job_id', 'in', [uuidOf('job', one.job), uuidOf('job', two.job)])
    .execute();
  const { status, body } = await archive({}, of.key);
  expect([status, body.error.code, body.error.message]).toEqual([
    403,
    'limit_reached',
    'These 2 jobs have 2.2 GiB; one zip of several jobs holds 2.0 GiB.',
  ]);
  expect((await archive({ job_ids: [one.job] }, of.key)).status).toBe(200);
});

test('404 file_not_found: no approved job is left, or none of its files', async () => {
  const of = await fresh();
  const answers = [await archive({}, of.key)];
  const { job } = await finishJob(of, 'a.png');
  await of.service.context.db
    .updateTable('files')
    .set({ status: 'deleted', deleted_at: new Date() })
    .where('job_id', '=', uuidOf('job', job))
    .execute();
  answers.push(await archive({ job_ids: [job] }, of.key));
  expect(answers.map(({ status, body }) => [status, body.error.code])).toEqual([
    [404, 'file_not_found'],
    [404, 'file_not_found'],
  ]);
});

test('404 job_not_found: a job of another account, or one that is not completed', async () => {
  const { job } = await finishJob(studio, 'a.png');
  const other = await fresh();
  for (const answer of [
    await archive({ job_ids: [job] }, other.key),
    await archive({ job_ids: [await newJobIn(other, 'ready_for_customer_review')] }, other.key),
    await archive({ job_ids: ['x'] }, other.key),
  ])
    expect([answer.status, answer.body.error.code]).toEqual([404, 'job_not_found']);
});

test('422 invalid_request: a job twice, more than 100, or a field that there is not', async () => {
  const { job } = await finishJob(studio, 'a.png');
  for (const body of [
    { job_ids: [job, job] },
    { job_ids: Array.from({ length: 101 }, (_, n) => `job_${n}`) },
    { x: 1 },
  ])
    expect((await archive(body)).body.error.code).toBe('invalid_request');
});

test('the URL ends with the membership of whoever asked for it, and serves no other jobs', async () => {
  const { job } = await finishJob(studio, 'a.png');
  const member = await addMember(studio.service, studio.ada, 'member');
  const { body } = await archive({ job_ids: [job] }, member.token);
  const url = new URL(body.download.url);
  const fetched = (path: string) => studio.service.call('GET', path);
  expect(await namesIn(studio, { status: 200, body } as Got)).toHaveLength(1);
  const { job: other } = await finishJob(studio, 'b.png');
  const packed = (id: string) => Buffer.from(uuidOf('job', id).replaceAll('-', ''), 'hex').toString('base64url');
  const changed = url.pathname.replace(packed(job), packed(other));
  expect(changed).not.toBe(url.pathname);
  expect((await fetched(changed + url.search)).status).toBe(403);
  await studio.service.call('DELETE', `/api/auth/members/${showId('mem', member.memberId)}`, { as: studio.ada.token });
  expect((await fetched(url.pathname + url.search)).status).toBe(404);
});
