import { beforeAll, expect, test } from 'vitest';
import { createArchive, fetchArchive, namesIn } from '../../test/support/archives.ts';
import { newDeliverable, newFile, someBytes } from '../../test/support/files.ts';
import { makeMoves, newCustomer, newJobIn, post, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { makeKey } from '../../test/support/people.ts';
import { deliverFiles, deliverTo } from '../../test/support/review-links.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

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
  const { body } = await createArchive(studio, studio.key, job, { round: 0 });
  expect(body).toMatchObject({
    file_name: 'Logo for a neighbourhood bakery, delivery 1.zip',
    files: 7,
    size_bytes: 14_000,
  });
  const { entries, headers } = await fetchArchive(studio, body.download.url);
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

test('200: a whole job, in folders, without what is not delivered', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  await newFile(studio.service, studio.key, someBytes(), { job_id: job, file_name: 'brief.png' });
  await makeMoves(studio, job, 'revision', 'start');
  const own = ['Delivery 1/one.png', 'Your files/brief.png'];
  await newDeliverable(studio.service, studio.operator.token, job, someBytes(), { file_name: 'draft.png' });
  for (const as of [studio.key, await makeKey(studio.service, studio.ada, ['api:read'])])
    expect(await namesIn(studio, await createArchive(studio, as, job))).toEqual(own);
  await deliverTo(studio, job, 'two.png');
  expect(await namesIn(studio, await createArchive(studio, studio.ada.token, job, { round: 1 }))).toEqual(['two.png']);
});

test('404 job_not_found: a job of another account', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  const { key } = await newCustomer(studio.service, 'agent');
  for (const answer of [await createArchive(studio, key, job), await createArchive(studio, studio.key, 'x')])
    expect([answer.status, answer.body.error.code]).toEqual([404, 'job_not_found']);
});

test('404 file_not_found: no such delivery, or nothing that is delivered', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  const running = await newJobIn(studio, 'running');
  await newDeliverable(studio.service, studio.operator.token, running, someBytes());
  for (const answer of [
    await createArchive(studio, studio.key, job, { round: 1 }),
    await createArchive(studio, studio.key, running),
  ])
    expect([answer.status, answer.body.error.code]).toEqual([404, 'file_not_found']);
});
