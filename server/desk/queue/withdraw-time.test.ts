import { beforeAll, expect, test } from 'vitest';
import { said } from '../../../test/support/every-endpoint.ts';
import { newJobIn, sharedStudio, type Studio } from '../../../test/support/jobs.ts';
import { deskJob, deskPath, newTime } from '../../../test/support/makers-hours.ts';
import { makeOperator } from '../../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const withdraw = (id: string, time: string, as = studio.operator.token) =>
  studio.service.call('DELETE', `${deskPath(id)}/times/${time}`, { as });

test('200: it is gone', async () => {
  const id = await newJobIn(studio, 'queued');
  const time = await newTime(studio, id);
  expect((await withdraw(id, time)).body.noted_time.id).toBe(time);
  expect((await deskJob(studio, id, studio.operator.token)).times).toEqual([]);
});

test('404 time_not_found: of a colleague, or withdrawn before', async () => {
  const id = await newJobIn(studio, 'queued');
  const time = await newTime(studio, id);
  expect(said(await withdraw(id, time, (await makeOperator(studio.service, 'owner')).token))).toBe(
    '404 time_not_found',
  );
  await withdraw(id, time);
  expect(said(await withdraw(id, time))).toBe('404 time_not_found');
});

test('404 job_not_found', async () => {
  expect(said(await withdraw('job_01jd3vsh8xe7rtx1zqbdnzc4v0', 'time_01jd3vsh8xe7rtx1zqbdnzc4v0'))).toBe(
    '404 job_not_found',
  );
});
