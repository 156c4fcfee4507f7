import { beforeAll, expect, test } from 'vitest';
import { said, today } from '../../../test/support/every-endpoint.ts';
import { newJobIn, sharedStudio, type Studio } from '../../../test/support/jobs.ts';
import { deskJob, deskPath, newTime } from '../../../test/support/makers-hours.ts';
import { makeOperator } from '../../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const replace = (id: string, time: string, changes: object = {}, as = studio.operator.token) =>
  studio.service.call('PUT', `${deskPath(id)}/times/${time}`, {
    as,
    body: { minutes: 30, worked_on: today(), ...changes },
  });

test('200: the entry is as corrected', async () => {
  const id = await newJobIn(studio, 'queued');
  const time = await newTime(studio, id);
  const { status, body } = await replace(id, time, { words: 'Proof' });
  expect(status).toBe(200);
  expect(body.noted_time).toMatchObject({ id: time, minutes: 30, words: 'Proof' });
  expect((await deskJob(studio, id, studio.operator.token)).times).toEqual([body.noted_time]);
});

test('404 time_not_found: of a colleague, of another job, or unknown', async () => {
  const id = await newJobIn(studio, 'queued');
  const time = await newTime(studio, id);
  const owner = await makeOperator(studio.service, 'owner');
  expect(said(await replace(id, time, {}, owner.token))).toBe('404 time_not_found');
  expect(said(await replace(await newJobIn(studio, 'queued'), time))).toBe('404 time_not_found');
  expect(said(await replace(id, 'time_01jd3vsh8xe7rtx1zqbdnzc4v0'))).toBe('404 time_not_found');
  expect((await deskJob(studio, id, studio.operator.token)).times).toMatchObject([{ minutes: 90 }]);
});

test('404 job_not_found', async () => {
  const time = 'time_01jd3vsh8xe7rtx1zqbdnzc4v0';
  expect(said(await replace('job_01jd3vsh8xe7rtx1zqbdnzc4v0', time))).toBe('404 job_not_found');
});

test('422 invalid_request: no such day', async () => {
  const id = await newJobIn(studio, 'queued');
  expect(said(await replace(id, await newTime(studio, id), { worked_on: '2026-02-30' }))).toBe('422 invalid_request');
});
