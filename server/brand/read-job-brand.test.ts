import { beforeAll, expect, test } from 'vitest';
import { facts, newBrand, putBrand } from '../../test/support/brand.ts';
import { someBytes } from '../../test/support/files.ts';
import { newCustomer, newJob, sharedStudio, type Studio } from '../../test/support/jobs.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const copyOf = (as: string, job: string) => studio.service.call('GET', `/api/v1/jobs/${job}/brand`, { as });

test('200: the copy of the kit as it was when the job was ordered; null without one', async () => {
  const { service } = studio;
  const { key } = await newCustomer(service, 'studio');
  const before = await newJob(service, key);
  const { file_name } = await newBrand(service, key, someBytes());
  const job = await newJob(service, key);
  await putBrand(service, key, { facts: [{ label: 'Colours', text: 'Red' }] });
  const { status, body } = await copyOf(key, job);
  expect([status, body]).toMatchObject([
    200,
    { brand: { facts, files: [{ job_id: job, file_name, status: 'uploaded' }] } },
  ]);
  expect((await copyOf(key, before)).body).toEqual({ brand: null });
});

test('404 job_not_found: of another account', async () => {
  const { service, ada } = studio;
  const { key } = await newCustomer(service, 'studio');
  const { status, body } = await copyOf(ada.token, await newJob(service, key));
  expect([status, body.error.code]).toEqual([404, 'job_not_found']);
});
