import { expect, test } from 'vitest';
import { putBrand } from '../../test/support/brand.ts';
import { newFile, someBytes } from '../../test/support/files.ts';
import { newJob, sharedStudio, uuidOf, withNewCustomer } from '../../test/support/jobs.ts';
import { finishJob, letLeave } from '../../test/support/library.ts';
import { deliverFiles } from '../../test/support/review-links.ts';

test('200: the jobs of each view, those that leave soon, and what can be filtered by', async () => {
  const of = await withNewCustomer(await sharedStudio());
  const counts = async (as = of.key) => (await of.service.call('GET', '/api/v1/library/counts', { as })).body;
  const none = {
    counts: { approved: 0, studio: 0, mine: 0, all: 0 },
    leaving: 0,
    filters: { services: [], brands: [] },
  };
  expect(await counts()).toEqual(none);
  await finishJob(of, 'a.png');
  await putBrand(of.service, of.key, { facts: [{ label: 'BRAND NAME', text: 'Rise' }] });
  const { job } = await finishJob(of, 'b.png');
  await newFile(of.service, of.key, someBytes(), { job_id: await newJob(of.service, of.key) });
  await newFile(of.service, of.key, someBytes());
  await deliverFiles(of, 'c.png');
  await letLeave(of.service.context.db, uuidOf('job', job), 6);
  expect(await counts()).toEqual({
    counts: { approved: 2, studio: 3, mine: 1, all: 4 },
    leaving: 1,
    filters: { services: [{ service_family: 'design', service_type: 'logo' }], brands: ['Rise'] },
  });
  expect(await counts((await withNewCustomer(of)).key)).toEqual(none);
});
