import { timeBounds } from '../../../contract/desk/time-bounds.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { said, today } from '../../../test/support/every-endpoint.ts';
import { newJobIn, readJob, sharedStudio, type Studio } from '../../../test/support/jobs.ts';
import { deskJob, noteTime } from '../../../test/support/makers-hours.ts';
import { leasedJob, makeWorker, moveAs } from '../../../test/support/workers.ts';
import { showId } from '../../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

describe('201', () => {
  test.each(['queued', 'running', 'completed'] as const)(
    'a %s job: operators read it, the customer never',
    async (in_) => {
      const id = await newJobIn(studio, in_);
      const { status, body } = await noteTime(studio, id, { words: ' Second sketch ' });
      expect(status).toBe(201);
      expect(body.noted_time).toEqual({
        id: expect.stringMatching(/^time_/),
        minutes: 90,
        worked_on: today(),
        words: 'Second sketch',
        created_by: { kind: 'user', id: showId('user', studio.operator.userId), name: 'Operator' },
        created_at: expect.any(String),
      });
      expect((await deskJob(studio, id, studio.operator.token)).times).toEqual([body.noted_time]);
      expect(JSON.stringify(await readJob(studio.service, studio.key, id))).not.toContain('Second sketch');
    },
  );

  test('of the oldest day that counts, and of the day where it begins first', async () => {
    const id = await newJobIn(studio, 'queued');
    const days = [daysAgo(timeBounds.daysBack), daysAgo(-14 / 24)];
    for (const worked_on of days) expect(said(await noteTime(studio, id, { worked_on }))).toBe('201');
    const { times } = await deskJob(studio, id, studio.operator.token);
    expect(times.map(({ worked_on }: { worked_on: string }) => worked_on)).toEqual(days);
  });

  test('once per Idempotency-Key', async () => {
    const id = await newJobIn(studio, 'queued');
    for (const _ of [1, 2]) expect((await noteTime(studio, id, {}, 'note-1')).status).toBe(201);
    expect((await deskJob(studio, id, studio.operator.token)).times).toHaveLength(1);
  });

  test('a worker does not read it', async () => {
    const worker = await makeWorker(studio);
    const { id, token } = await leasedJob(studio, worker);
    await noteTime(studio, id);
    expect((await moveAs(studio, worker, id, 'start', token)).body.job.times).toEqual([]);
  });
});

test('404 job_not_found', async () => {
  expect(said(await noteTime(studio, 'job_01jd3vsh8xe7rtx1zqbdnzc4v0'))).toBe('404 job_not_found');
});

test.each([
  { minutes: 0 },
  { minutes: 1_441 },
  { minutes: 1.5 },
  { worked_on: '2026-02-30' },
  { worked_on: 'yesterday' },
  { worked_on: daysAgo(-2) },
  { worked_on: daysAgo(369) },
  { words: ' ' },
  { words: 'x'.repeat(201) },
])('422 invalid_request: %j', async (wrong) => {
  expect(said(await noteTime(studio, await newJobIn(studio, 'queued'), wrong))).toBe('422 invalid_request');
});
