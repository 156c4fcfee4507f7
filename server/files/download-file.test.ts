import { beforeAll, expect, test } from 'vitest';
import {
  bytesOf,
  newDeliverable,
  newFile,
  presign,
  reachable,
  someBytes,
  unknownFile,
} from '../../test/support/files.ts';
import { makeMoves, newCustomer, newJob, sharedStudio, post, type Studio } from '../../test/support/jobs.ts';
import { makeKey } from '../../test/support/people.ts';
import type { As, Service } from '../../test/support/harness.ts';

let studio: Studio;
let service: Service;
beforeAll(async () => {
  studio = await sharedStudio();
  service = studio.service;
});

const bytes = someBytes();
const ask = (as: As, id: string) => service.call('GET', `/api/v1/files/${id}/download`, { as });

test('303 to a signed URL, by key, session and cookie, which no cache may keep', async () => {
  const file = await newFile(service, studio.key, bytes);
  for (const as of [
    studio.key,
    studio.ada.token,
    { cookie: studio.ada.cookie },
    await makeKey(service, studio.ada, ['api:read']),
  ]) {
    const { status, headers, body } = await ask(as, file.id);
    expect([status, headers.get('cache-control'), body]).toEqual([303, 'no-store', undefined]);
    expect(await bytesOf(await fetch(reachable(service, headers.get('location') ?? '')))).toEqual(bytes);
  }
});

test('303 to the public address of the service, whatever Host says', async () => {
  const file = await newFile(service, studio.key, bytes);
  const { headers } = await service.call('GET', `/api/v1/files/${file.id}/download`, {
    as: studio.key,
    headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'ftp' },
  });
  expect(headers.get('location')).toMatch(/^http:\/\/localhost:3000\/storage\/files\//);
});

test('400 invalid_request: another copy than the one for viewing', async () => {
  const file = await newFile(service, studio.key, bytes);
  for (const copy of ['', 'poster', 'viewing&copy=viewing']) {
    const { status, body } = await service.call('GET', `/api/v1/files/${file.id}/download?copy=${copy}`, {
      as: studio.key,
    });
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
  }
});

test('404 file_not_found: unknown, another account’s, not uploaded yet, not delivered yet', async () => {
  const { key } = await newCustomer(service);
  const file = await newFile(service, studio.key, bytes);
  const pending = (await presign(service, studio.key, bytes)).body.file;
  const job = await newJob(service, studio.key);
  await makeMoves(studio, job, 'accept', 'start');
  const deliverable = await newDeliverable(service, studio.operator.token, job, bytes);
  const path = `/api/operator/v1/jobs/${job}/submit`;
  await post(service, studio.operator.token, path, { file_ids: [deliverable.id] });
  const answers = [
    await ask(studio.key, unknownFile),
    await ask(studio.key, 'x'),
    await ask(key, file.id),
    await ask(studio.key, pending.id),
    await ask(studio.key, deliverable.id),
  ];
  for (const { status, body } of answers) expect([status, body.error.code]).toEqual([404, 'file_not_found']);
  await makeMoves(studio, job, 'pass');
  expect((await ask(studio.key, deliverable.id)).status).toBeLessThan(400);
  expect((await ask(key, deliverable.id)).status).toBe(404);
});

test('400 invalid_request: a copy of another name than viewing; 404 file_not_found: there is no copy', async () => {
  const file = await newFile(service, studio.key, bytes);
  const codeOf = async (copy: string) => {
    const { status, body } = await service.call('GET', `/api/v1/files/${file.id}/download?copy=${copy}`, {
      as: studio.key,
    });
    return [status, body.error.code];
  };
  expect(await codeOf('small')).toEqual([400, 'invalid_request']);
  expect(await codeOf('viewing')).toEqual([404, 'file_not_found']);
});
