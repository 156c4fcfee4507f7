import { beforeAll, expect, test } from 'vitest';
import { view } from '../../test/support/account-views.ts';
import { namesAfter } from '../../test/support/archives.ts';
import type { As } from '../../test/support/harness.ts';
import { sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { deliverFiles } from '../../test/support/review-links.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const open = (as: As, job: string, query = '') =>
  studio.service.call('GET', `/api/v1/jobs/${job}/archive${query}`, { as });

test('303 to a signed URL for pages of the account, which no cache may keep', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  expect(await namesAfter(studio, await open(studio.ada.token, job, '?round=0'))).toEqual(['one.png']);
});

test('404 file_not_found: no such delivery', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  const { status, body } = await open(studio.ada.token, job, '?round=1');
  expect([status, body.error.code]).toEqual([404, 'file_not_found']);
});

test('the audit has what an operator downloads in a view, once a job, and nothing of its people', async () => {
  const { job } = await deliverFiles(studio, 'one.png');
  const entries = async () => {
    const path = `/api/operator/v1/audit?subject=${job}&action=file.downloaded_at_desk`;
    return (await studio.service.call('GET', path, { as: studio.operator.token })).body.audit_entries;
  };
  await open(studio.ada.token, job);
  expect(await entries()).toEqual([]);
  await view(studio);
  for (let times = 0; times < 2; times++) expect((await open(studio.operator.token, job)).status).toBe(303);
  expect(await entries()).toMatchObject([{ actor: 'operator', details: { job_id: job, files: 1 } }]);
});
