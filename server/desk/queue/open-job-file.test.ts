import { beforeAll, expect, test } from 'vitest';
import {
  bytesOf,
  newDeliverable,
  newFile,
  presign,
  reachable,
  someBytes,
  unknownFile,
} from '../../../test/support/files.ts';
import { sharedStudio, newJobIn, type Studio } from '../../../test/support/jobs.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const bytes = someBytes();
const open = (id: string, query = '') =>
  studio.service.call('GET', `/api/operator/v1/files/${id}/download${query}`, { as: studio.operator.token });

test('303 to sources of the customer and to deliverables that are not handed in yet', async () => {
  const id = await newJobIn(studio, 'running');
  const source = await newFile(studio.service, studio.key, bytes, { job_id: id });
  const made = await newDeliverable(studio.service, studio.operator.token, id, bytes);
  for (const file of [source, made]) {
    const { status, headers } = await open(file.id);
    expect([status, headers.get('cache-control')]).toEqual([303, 'no-store']);
    const url = reachable(studio.service, headers.get('location') ?? '');
    expect(await bytesOf(await fetch(url))).toEqual(bytes);
  }
});

test('404 file_not_found: unknown, not uploaded, or of no job', async () => {
  const free = await newFile(studio.service, studio.key, bytes);
  const pending = (await presign(studio.service, studio.key, bytes)).body.file;
  for (const id of [unknownFile, 'x', free.id, pending.id]) {
    const { status, body } = await open(id);
    expect([status, body.error.code]).toEqual([404, 'file_not_found']);
  }
});

test('400 invalid_request: a copy of another name than viewing', async () => {
  const { status, body } = await open(unknownFile, '?copy=small');
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
