import { beforeAll, expect, test } from 'vitest';
import { createReviewArchive, namesIn } from '../../test/support/archives.ts';
import { newDeliverable, newFile, someBytes } from '../../test/support/files.ts';
import { newJobIn, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { finishJob, newShowLink } from '../../test/support/library.ts';
import { deliverFiles, newReviewLink, revoke } from '../../test/support/review-links.ts';
import { jobUuid } from '../jobs/job.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

test('200: the deliveries of the job in folders, or one of them, and nothing else', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  await newFile(studio.service, studio.key, someBytes(), { job_id: job, file_name: 'brief.png' });
  const { guest } = await newReviewLink(studio, job);
  expect(await namesIn(studio, await createReviewArchive(studio, guest))).toEqual(['Delivery 1/one.png']);
  expect(await namesIn(studio, await createReviewArchive(studio, guest, { round: 0 }))).toEqual(['one.png']);
});

test('403 limit_reached: several finished jobs of more than 2 GiB; one of them fits', async () => {
  const [one, two] = [await finishJob(studio, 'one.png'), await finishJob(studio, 'two.png')];
  const job_ids = [one.job, two.job];
  await studio.service.context.db
    .updateTable('files')
    .set({ stored_bytes: 1_200_000_000, declared_bytes: 1_200_000_000 })
    .where('job_id', 'in', [jobUuid(one.job), jobUuid(two.job)])
    .execute();
  const { guest } = await newShowLink(studio, { job_ids });
  const { status, body } = await createReviewArchive(studio, guest);
  expect([status, body.error.code]).toEqual([403, 'limit_reached']);
  expect((await createReviewArchive(studio, guest, { job_id: one.job })).status).toBe(200);
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
