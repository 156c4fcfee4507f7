import { beforeAll, expect, test } from 'vitest';
import { said } from '../../../test/support/every-endpoint.ts';
import { newJobIn, sharedStudio, type Studio } from '../../../test/support/jobs.ts';
import { deskPath, setAside } from '../../../test/support/makers-hours.ts';
import { makeOperator } from '../../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const end = (id: string, as = studio.operator.token) =>
  studio.service.call('DELETE', `${deskPath(id)}/set-aside`, { as });

test('200: it is back; a job that was not set aside stays as it is', async () => {
  const id = await newJobIn(studio, 'running');
  await setAside(studio, id);
  for (const _ of [1, 2]) expect((await end(id)).body.job).toMatchObject({ status: 'running', set_aside: null });
});

test('403 role_required: a maker and the job of a colleague', async () => {
  const id = await newJobIn(studio, 'running');
  await setAside(studio, id);
  expect(said(await end(id, (await makeOperator(studio.service, 'maker')).token))).toBe('403 role_required');
});

test('404 job_not_found', async () => {
  expect(said(await end('job_01jd3vsh8xe7rtx1zqbdnzc4v0'))).toBe('404 job_not_found');
});
