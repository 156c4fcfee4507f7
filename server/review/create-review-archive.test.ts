import { beforeAll, expect, test } from 'vitest';
import { createReviewArchive, namesIn } from '../../test/support/archives.ts';
import { newDeliverable, newFile, someBytes } from '../../test/support/files.ts';
import { newJobIn, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { deliverFiles, newReviewLink, revoke } from '../../test/support/review-links.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200: the deliveries of the job in folders, or one of them, and nothing else', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  await newFile(studio.service, studio.key, someBytes(), { job_id: job, file_name: 'brief.png' });
  const { guest } = await newReviewLink(studio, job);
  expect(await namesIn(studio, await createReviewArchive(studio, guest))).toEqual(['Delivery 1/one.png']);
  expect(await namesIn(studio, await createReviewArchive(studio, guest, { round: 0 }))).toEqual(['one.png']);
});

test('404 file_not_found: nothing is delivered', async () => {
  const job = await newJobIn(studio, 'running');
  await newDeliverable(studio.service, studio.operator.token, job, someBytes());
  const { guest } = await newReviewLink(studio, job);
  const { status, body } = await createReviewArchive(studio, guest);
  expect([status, body.error.code]).toEqual([404, 'file_not_found']);
});

test('404 review_link_not_found: the link is revoked', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  const link = await newReviewLink(studio, job);
  await revoke(studio, link);
  const ended = await createReviewArchive(studio, link.guest);
  expect([ended.status, ended.body.error.code]).toEqual([404, 'review_link_not_found']);
});
