import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  bytesOf,
  newDeliverable,
  newFile,
  presign,
  reachable,
  someBytes,
  unknownFile,
} from '../../test/support/files.ts';
import { makeMoves, newCustomer, newJob, createStudio, post, type Studio } from '../../test/support/jobs.ts';
import { makeKey } from '../../test/support/people.ts';
import type { As, Service } from '../../test/support/harness.ts';

let studio: Studio;
let service: Service;
beforeAll(async () => {
  studio = await createStudio();
  service = studio.service;
});
afterAll(() => service.close());

const bytes = someBytes();
const ask = (as: As, id: string) => service.call('POST', `/api/v1/files/${id}/download`, { as });

test('200 with a URL of five minutes, for a key that only reads too', async () => {
  const file = await newFile(service, studio.key, bytes);
  for (const as of [studio.key, studio.ada.token, await makeKey(service, studio.ada, ['api:read'])]) {
    const { status, body } = await ask(as, file.id);
    expect(status).toBe(200);
    expect(body.download).toEqual({ method: 'GET', url: expect.any(String), expires_at: expect.any(String) });
    const lasts = Date.parse(body.download.expires_at) - Date.now();
    expect(lasts).toBeGreaterThan(290_000);
    expect(lasts).toBeLessThanOrEqual(300_000);
    expect(await bytesOf(await fetch(reachable(service, body.download.url)))).toEqual(bytes);
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
