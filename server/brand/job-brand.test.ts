import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { facts, getBrand, newBrand, putBrand } from '../../test/support/brand.ts';
import {
  bytesOf,
  download,
  newFile,
  openTestStorage,
  reachable,
  someBytes,
  type TestStorage,
} from '../../test/support/files.ts';
import type { As, Service } from '../../test/support/harness.ts';
import { confirm, readySession } from '../../test/support/intake.ts';
import { createJob, createStudio, makeMoves, newCustomer, newJob, post, type Studio } from '../../test/support/jobs.ts';
import { closeAccount, endPlans, type TestPerson } from '../../test/support/people.ts';
import { blackPng } from '../../test/support/pictures.ts';
import { claim, makeWorker } from '../../test/support/workers.ts';
import { deleteExpiredFiles } from '../files/delete-expired-files.ts';
import { claimStorage } from '../files/installation.ts';
import { makePosters } from '../files/make-posters.ts';

let storage: TestStorage;
let studio: Studio;
let service: Service;
beforeAll(async () => {
  storage = await openTestStorage('file');
  studio = await createStudio(storage.env);
  service = studio.service;
  expect(await claimStorage(service.context)).toBeNull();
});
afterAll(async () => {
  await service.close();
  await storage.close();
});

const bytes = someBytes();
const atDesk = async (id: string) =>
  (await service.call('GET', `/api/operator/v1/jobs/${id}`, { as: studio.operator.token })).body.job;
const opened = async (as: As, id: string) => {
  const { body } = await post(service, as, `/api/operator/v1/files/${id}/download`);
  return bytesOf(await fetch(reachable(service, body.download.url)));
};
const remove = (as: string, id: string) => service.call('DELETE', `/api/v1/files/${id}`, { as });
const going = new AbortController().signal;

/** Two days later, for the account's files and jobs. */
async function outlive({ accountId }: TestPerson): Promise<void> {
  const { db, storage: objects } = service.context;
  await sql`
    update jobs set status_changed_at = now() - interval '2 days' where account_id = ${accountId}`.execute(db);
  await sql`update files set uploaded_at = now() - interval '2 days' where account_id = ${accountId}`.execute(db);
  await deleteExpiredFiles(db, objects, going);
}

test('the studio reads the kit as it was when the job was ordered, the customer’s job is as without one', async () => {
  const { key } = await newCustomer(service, 'studio');
  const file = await newBrand(service, key, bytes);
  const job = await newJob(service, key);
  await putBrand(service, key, { facts: [{ label: 'Colours', text: 'Red' }] });
  expect((await remove(key, file.id)).status).toBe(200);

  const { brand, files } = await atDesk(job);
  expect(brand).toMatchObject({ facts, files: [{ job_id: job, file_name: file.file_name, status: 'uploaded' }] });
  expect(files).toEqual([]);
  expect(await opened(studio.operator.token, brand.files[0].id)).toEqual(bytes);
  expect((await atDesk(await newJob(service, key))).brand).toEqual({
    facts: [{ label: 'Colours', text: 'Red' }],
    files: [],
  });

  const { body } = await service.call('GET', `/api/v1/jobs/${job}`, { as: key });
  expect(body.job).not.toHaveProperty('brand');
  expect(body.job.files).toEqual([]);
  const copy = brand.files[0].id;
  const listed = await service.call('GET', `/api/v1/files`, { as: key });
  expect(listed.body.files.map(({ id }: { id: string }) => id)).toEqual([file.id]);
  for (const method of ['GET', 'DELETE'])
    expect((await service.call(method, `/api/v1/files/${copy}`, { as: key })).status).toBe(404);
  for (const verb of ['download', 'copy', 'complete'])
    expect((await post(service, key, `/api/v1/files/${copy}/${verb}`)).status).toBe(404);
  expect((await post(service, key, `/api/v1/files/${copy}/poster`, { jpeg: 'AAAA' })).status).toBe(404);
});

test('the desk finds no job by its copy of the kit, but by a file of its own', async () => {
  const { key } = await newCustomer(service, 'studio');
  await newBrand(service, key, bytes, { file_name: 'wordmark.png' });
  await newJob(service, key);
  const own = await newFile(service, key, bytes, { file_name: 'wordmark of the order.png' });
  const job = await newJob(service, key, { file_ids: [own.id] });
  const { body } = await service.call('GET', '/api/operator/v1/jobs?q=wordmark', { as: studio.operator.token });
  expect(body.jobs.map(({ id }: { id: string }) => id)).toEqual([job]);
});

test('without a kit, or with an empty one, the job has none', async () => {
  const { key } = await newCustomer(service, 'studio');
  expect((await atDesk(await newJob(service, key))).brand).toBeNull();
  await putBrand(service, key);
  await putBrand(service, key, { facts: [] });
  expect((await atDesk(await newJob(service, key))).brand).toBeNull();
});

test('a repeat with the same Idempotency-Key makes no second copy', async () => {
  const { key, person } = await newCustomer(service, 'studio');
  await newBrand(service, key, bytes);
  const answers = await Promise.all([1, 2, 3].map(() => createJob(service, key, {}, 'once')));
  expect(new Set(answers.map(({ body }) => body.job.id)).size).toBe(1);
  const { rows } = await sql<{ files: number }>`
    select count(*)::int as files from files where account_id = ${person.accountId}`.execute(service.context.db);
  expect(rows).toEqual([{ files: 2 }]);
});

test('a claim brings the kit to the worker, who downloads its files', async () => {
  const { key } = await newCustomer(service, 'studio');
  await newBrand(service, key, bytes);
  const family = 'brand-claimed';
  const job = await newJob(service, key);
  await sql`update jobs set service_family = ${family} where created_at = (select max(created_at) from jobs)`.execute(
    service.context.db,
  );
  const worker = await makeWorker(studio);
  const { body } = await claim(studio, worker, { service_families: [family] });
  expect(body.job).toMatchObject({ id: job, brand: { facts, files: [{ file_name: 'brand guide.png' }] } });
  const path = `/api/operator/v1/files/${body.job.brand.files[0].id}/download`;
  const answer = await post(service, worker, path, { lease_token: body.lease.token });
  expect(await bytesOf(await fetch(reachable(service, answer.body.download.url)))).toEqual(bytes);
});

test('a brief that is confirmed takes the kit along', async () => {
  const { key } = await newCustomer(service, 'studio');
  await newBrand(service, key, bytes);
  const { id } = await readySession(service, key);
  const { status, body: confirmed } = await confirm(service, key, id);
  expect(status).toBe(201);
  expect((await atDesk(confirmed.job.id)).brand).toMatchObject({ facts, files: [{ file_name: 'brand guide.png' }] });
});

test('bytes and posters that the kit and jobs share are stored once, and go with the last of them', async () => {
  const { key, person } = await newCustomer(service, 'studio');
  const picture = blackPng(9, 9);
  const before = await storage.keys();
  const file = await newBrand(service, key, picture, { retention_days: 1 });
  await makePosters(service.context, going);
  const [first, second] = [await newJob(service, key), await newJob(service, key)];
  await putBrand(service, key);
  await remove(key, file.id);
  expect(await storage.keys()).toHaveLength(before.length + 2);

  await makeMoves({ ...studio, key }, first, 'cancel');
  await outlive(person);
  expect((await atDesk(first)).brand.files[0].status).toBe('deleted');
  const [copy] = (await atDesk(second)).brand.files;
  expect(await opened(studio.operator.token, copy.id)).toEqual(picture);
  expect((await fetch(reachable(service, copy.poster))).status).toBe(200);
  expect(copy).toMatchObject({ width: 9, height: 9 });

  await makeMoves({ ...studio, key }, second, 'cancel');
  await outlive(person);
  expect(await storage.keys()).toEqual(before);
});

test('the account at the desk has the kit as it is now', async () => {
  const { key } = await newCustomer(service, 'studio');
  const file = await newBrand(service, key, bytes);
  const { account } = await atDesk(await newJob(service, key));
  const read = await service.call('GET', `/api/operator/v1/accounts/${account.id}`, { as: studio.operator.token });
  expect(read.body.account.brand).toMatchObject({ facts, files: [{ id: file.id }] });
});

test('an export has the kit that the person wrote; closing the account deletes it, its copies and the bytes', async () => {
  const { key, person } = await newCustomer(service, 'studio');
  const before = (await storage.keys()).length;
  const file = await newBrand(service, key, bytes);
  expect((await putBrand(service, person.token, { file_ids: [file.id], facts: facts.slice(1) })).status).toBe(200);
  const job = await newJob(service, key);
  const exported = await service.call('GET', '/api/auth/export', { as: person.token });
  expect(exported.body.brands).toMatchObject([{ facts: facts.slice(1) }]);

  await endPlans(service, person);
  const use = await service.call('GET', '/api/auth/account/closing', { as: person.token });
  expect(use.body.closing.ends.files).toBe(1);
  await closeAccount(service, person);
  const { brand } = await atDesk(job);
  expect(JSON.stringify(brand)).not.toContain('green');
  expect(await storage.keys()).toHaveLength(before);
  expect((await getBrand(service, key)).status).toBe(401);
});

test('the kit of an account without a plan counts among its three uploads once', async () => {
  const { key, person } = await newCustomer(service, 'studio');
  const file = await newBrand(service, key, bytes);
  for (let n = 0; n < 3; n += 1) await newJob(service, key);
  await endPlans(service, person);
  const next = { purpose: 'job_reference', content_type: 'image/png', file_name: 'a.png', size_bytes: 3 };
  expect((await post(service, key, '/api/v1/files/presign', next)).status).toBe(201);
  expect((await download(service, key, file.id)).status).toBe(200);
});
