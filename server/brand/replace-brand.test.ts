import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { facts, getBrand, newBrand, newReference, putBrand } from '../../test/support/brand.ts';
import { download, newFile, openTestStorage, presign, someBytes, type TestStorage } from '../../test/support/files.ts';
import type { Service } from '../../test/support/harness.ts';
import { createJob, createStudio, newCustomer, post, type Studio } from '../../test/support/jobs.ts';
import { addMember, makeKey } from '../../test/support/people.ts';
import { deleteExpiredFiles } from '../files/delete-expired-files.ts';

let storage: TestStorage;
let studio: Studio;
let service: Service;
beforeAll(async () => {
  storage = await openTestStorage('file');
  studio = await createStudio(storage.env);
  service = studio.service;
});
afterAll(async () => {
  await service.close();
  await storage.close();
});

const bytes = someBytes();
const remove = (as: string, id: string) => service.call('DELETE', `/api/v1/files/${id}`, { as });

test('200: replaces the whole, in the order of the request', async () => {
  const { key, person } = await newCustomer(service);
  const first = await newBrand(service, key, bytes);
  const second = await newReference(service, key, bytes);
  const { status, body } = await putBrand(service, person.token, {
    facts: facts.toReversed(),
    file_ids: [second.id, first.id],
    version: 1,
  });
  expect([status, body.brand]).toMatchObject([
    200,
    {
      facts: facts.toReversed(),
      file_ids: [second.id, first.id],
      version: 2,
      updated_by: { kind: 'user', name: 'Ada Lovelace' },
    },
  ]);
  expect((await getBrand(service, key)).body).toEqual(body);
  const emptied = await putBrand(service, key, { facts: [] });
  expect(emptied.body.brand).toMatchObject({ facts: [], files: [], version: 3, updated_by: { kind: 'api_key' } });
});

test('200: the same again changes nothing, even with the version before', async () => {
  const { key } = await newCustomer(service);
  const { body } = await putBrand(service, key, { version: 0 });
  expect(await putBrand(service, key, { version: 0 })).toMatchObject({ status: 200, body });
});

test('200: an admin; the audit names the change and not its words', async () => {
  const { person } = await newCustomer(service);
  const admin = await addMember(service, person, 'admin');
  expect((await putBrand(service, admin.token)).status).toBe(200);
  const { body } = await service.call('GET', '/api/v1/audit?action=brand.updated', { as: person.token });
  expect(body.audit_entries).toMatchObject([{ actor: 'customer', created_by: { kind: 'user' }, details: {} }]);
});

test('403 role_required: a member; a key needs api:write', async () => {
  const { person } = await newCustomer(service);
  const member = await addMember(service, person, 'member');
  expect((await putBrand(service, member.token)).body.error.code).toBe('role_required');
  const reader = await makeKey(service, person, ['api:read']);
  expect((await putBrand(service, reader)).body.error.code).toBe('insufficient_scope');
  expect((await getBrand(service, person.token)).body.brand.version).toBe(0);
});

test('409 brand_changed: a version that is not the newest; of several at once one wins', async () => {
  const { key } = await newCustomer(service);
  const kits = ['one', 'two', 'three'].map((text) => ({ facts: [{ label: 'Tone', text }], version: 0 }));
  const answers = await Promise.all(kits.map((kit) => putBrand(service, key, kit)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
  const lost = answers.find(({ status }) => status === 409);
  expect(lost?.body.error.code).toBe('brand_changed');
  expect((await getBrand(service, key)).body.brand.version).toBe(1);
});

describe('422 invalid_request', () => {
  const fact = (label: string, text = 'x') => ({ facts: [{ label, text }] });
  test.each([
    ['21 facts', { facts: Array.from({ length: 21 }, (_, n) => ({ label: `${n}`, text: 'x' })) }, '/facts'],
    ['an empty label', fact(''), '/facts/0/label'],
    ['a label of 61', fact('x'.repeat(61)), '/facts/0/label'],
    ['a label with a line break', fact('a\nb'), '/facts/0/label'],
    ['a label with a space at its end', fact('Tone '), '/facts/0/label'],
    ['a text of 2,001', fact('Tone', 'x'.repeat(2_001)), '/facts/0/text'],
    ['a blank text', fact('Tone', ' \n'), '/facts/0/text'],
    ['the same label in another case', { facts: [...facts, { label: 'COLOURS', text: 'x' }] }, '/facts/2/label'],
    ['21 files', { file_ids: Array.from({ length: 21 }, (_, n) => `file_${n}`) }, '/file_ids'],
    ['an unknown file', { file_ids: ['file_01jd3vsh8xe7rtx1zqbdnzc4v0'] }, '/file_ids/0'],
  ])('%s', async (_, body, location) => {
    const { status, body: answer } = await putBrand(service, studio.key, body);
    expect([status, answer.error.code, answer.error.details[0].location]).toEqual([422, 'invalid_request', location]);
  });

  test('files of another account, of a job, for another purpose, without bytes, deleted', async () => {
    const { key } = await newCustomer(service);
    const deleted = await newReference(service, studio.key, bytes);
    await remove(studio.key, deleted.id);
    const ofJob = await newReference(service, studio.key, bytes);
    await createJob(service, studio.key, { file_ids: [ofJob.id] });
    const file_ids = [
      (await newReference(service, key, bytes)).id,
      ofJob.id,
      (await newFile(service, studio.key, bytes)).id,
      (await presign(service, studio.key, bytes, { purpose: 'job_reference' })).body.file.id,
      deleted.id,
    ];
    const { status, body } = await putBrand(service, studio.key, { file_ids });
    expect(status).toBe(422);
    expect(body.error.details.map(({ location }: { location: string }) => location)).toEqual(
      file_ids.map((__, at) => `/file_ids/${at}`),
    );
  });
});

test('422 unsafe_request: a credential, whose place is named and which is not kept', async () => {
  const { key, person } = await newCustomer(service);
  const text = `The shop's login is npm_${'aB3'.repeat(12)}`;
  const { status, body } = await putBrand(service, key, { facts: [...facts, { label: 'Login', text }] });
  expect([status, body.error.code]).toEqual([422, 'unsafe_request']);
  expect(body.error.details[0].location).toBe('/facts/2/text');
  expect(JSON.stringify(body)).not.toContain('npm_aB3');
  expect((await getBrand(service, person.token)).body.brand.version).toBe(0);
});

describe('a file in the kit', () => {
  const outlive = async () => {
    await sql`update files set uploaded_at = now() - interval '2 days' where retention_days = 1`.execute(
      service.context.db,
    );
    await deleteExpiredFiles(service.context.db, service.context.storage, new AbortController().signal);
  };
  const statusOf = async (as: string, id: string) =>
    (await service.call('GET', `/api/v1/files/${id}`, { as })).body.file.status;

  test('is kept beyond its retention, and deleted once it has left', async () => {
    const { key } = await newCustomer(service);
    const file = await newBrand(service, key, bytes, { retention_days: 1 });
    await outlive();
    expect(await statusOf(key, file.id)).toBe('uploaded');
    await putBrand(service, key);
    await outlive();
    expect(await statusOf(key, file.id)).toBe('deleted');
  });

  test('cannot be deleted, ordered with, or sent with a message', async () => {
    const { key } = await newCustomer(service, 'studio');
    const { body: job } = await createJob(service, key);
    const file = await newBrand(service, key, bytes);
    expect((await remove(key, file.id)).body.error).toMatchObject({
      code: 'file_in_use',
      message: 'The brand kit has this file.',
    });
    const answers = [
      await createJob(service, key, { file_ids: [file.id] }),
      await post(service, key, `/api/v1/jobs/${job.job.id}/messages`, { text: 'Our logo.', file_ids: [file.id] }),
    ];
    for (const { status, body } of answers)
      expect([status, body.error.details[0].location]).toEqual([422, '/file_ids/0']);
    expect((await download(service, key, file.id)).status).toBe(200);
  });
});

test('409 brand_changed: a version that the kit does not have yet', async () => {
  const { key } = await newCustomer(service);
  expect((await putBrand(service, key, { version: 1 })).body.error.code).toBe('brand_changed');
  expect((await getBrand(service, key)).body.brand.version).toBe(0);
});
