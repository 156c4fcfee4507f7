import { beforeAll, expect, test } from 'vitest';
import { namesAfter } from '../../../test/support/archives.ts';
import { sharedStudio, type Studio } from '../../../test/support/jobs.ts';
import { deliverFiles } from '../../../test/support/review-links.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const open = (job: string, query = '') =>
  studio.service.call('GET', `/api/operator/v1/jobs/${job}/archive${query}`, { as: studio.operator.token });

test('303 to a signed URL for pages of the desk, which no cache may keep', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  expect(await namesAfter(studio, await open(job, '?round=0'))).toEqual(['one.png']);
});

test('404 file_not_found: no such delivery', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  const { status, body } = await open(job, '?round=1');
  expect([status, body.error.code]).toEqual([404, 'file_not_found']);
});
