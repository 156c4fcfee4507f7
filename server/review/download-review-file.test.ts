import { beforeAll, expect, test } from 'vitest';
import { bytesOf, newDeliverable, newFile, reachable, someBytes } from '../../test/support/files.ts';
import type { As } from '../../test/support/harness.ts';
import { sharedStudio, makeMoves, newCustomer, newJobIn, post, type Studio } from '../../test/support/jobs.ts';
import { deliverFiles, newReviewLink, revoke } from '../../test/support/review-links.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const download = (guest: As, id: string) => post(studio.service, guest, `/api/v1/review/files/${id}/download`);

test('200: a signed URL of the bytes, which needs no credential', async () => {
  const { job, files } = await deliverFiles(studio, 'logo.png');
  const { guest, token } = await newReviewLink(studio, job);
  const { status, body } = await download(guest, files[0]!);
  expect(status).toBe(200);
  expect(body.download).toEqual({ method: 'GET', url: expect.any(String), expires_at: expect.any(String) });
  expect(body.download.url).not.toContain(token);
  const fetched = await fetch(reachable(studio.service, body.download.url));
  expect([fetched.status, (await bytesOf(fetched)).length]).toEqual([200, 2_000]);
});

test('404 file_not_found: what the link does not open', async () => {
  const { service, key, operator } = studio;
  const { job } = await deliverFiles(studio, 'logo.png');
  const other = await deliverFiles(studio, 'other.png');
  const brief = await newFile(service, key, someBytes(), { job_id: job });
  const loose = await newFile(service, key, someBytes());
  const { guest } = await newReviewLink(studio, job);
  await makeMoves(studio, job, 'revision', 'start');
  const draft = await newDeliverable(service, operator.token, job, someBytes());
  const stranger = await newCustomer(service, 'agent');
  const theirs = await newFile(service, stranger.key, someBytes());
  for (const id of [other.files[0]!, brief.id, loose.id, draft.id, theirs.id, 'file_01jd3vsh8xe7rtx1zqbdnzc4v0', 'x']) {
    const { status, body } = await download(guest, id);
    expect([id, status, body.error.code]).toEqual([id, 404, 'file_not_found']);
  }
});

test('404 review_link_not_found: without a link that works, also for a file that exists', async () => {
  const { job, files } = await deliverFiles(studio, 'logo.png');
  const link = await newReviewLink(studio, job);
  await revoke(studio, link);
  for (const as of [null, link.guest, studio.key, { review: 'junk' }]) {
    const { status, body } = await download(as, files[0]!);
    expect([status, body.error.code]).toEqual([404, 'review_link_not_found']);
  }
  expect(
    (await download((await newReviewLink(studio, await newJobIn(studio, 'queued'))).guest, files[0]!)).status,
  ).toBe(404);
});

test('400 invalid_request: a copy of another name than viewing', async () => {
  const { job, files } = await deliverFiles(studio, 'logo.png');
  const { guest } = await newReviewLink(studio, job);
  const path = `/api/v1/review/files/${files[0]}/download?copy=small`;
  const { status, body } = await post(studio.service, guest, path);
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
