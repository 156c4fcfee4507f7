import { beforeAll, describe, expect, test } from 'vitest';
import { catalogWith } from '../../../test/support/catalog.ts';
import { said } from '../../../test/support/every-endpoint.ts';
import {
  createStudio,
  makeMoves,
  newJobIn,
  readJob,
  sharedStudio,
  type Studio,
  tryMove,
} from '../../../test/support/jobs.ts';
import { askToCheck, deskJob, newJobToCheck, tick } from '../../../test/support/makers-hours.ts';
import { makeOperator } from '../../../test/support/people.ts';
import { leasedJob, makeWorker, moveAs } from '../../../test/support/workers.ts';
import { showId } from '../../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const read = (id: string) => deskJob(studio, id, studio.operator.token);

describe('200', () => {
  test('who ticked what and when; a tick can be taken back', async () => {
    const id = await newJobToCheck(studio, 'running', 'Spelling', 'Bleed of 3 mm');
    const { status, body } = await tick(studio, id, 1);
    expect(status).toBe(200);
    const open = { text: 'Spelling', ticked_at: null, ticked_by: null };
    const by = { kind: 'user', id: expect.any(String), name: 'Operator' };
    expect(body.job.checklist).toEqual([open, { text: 'Bleed of 3 mm', ticked_at: expect.any(String), ticked_by: by }]);
    expect((await tick(studio, id, 1, false)).body.job.checklist[1].ticked_at).toBeNull();
    expect(JSON.stringify(await readJob(studio.service, studio.key, id))).not.toContain('Spelling');
  });

  test('who ticked an item first stays, and to take one tick back leaves the others', async () => {
    const id = await newJobToCheck(studio, 'accepted', 'Spelling', 'Bleed of 3 mm');
    await tick(studio, id, 0);
    await tick(studio, id, 1);
    const colleague = await makeOperator(studio.service, 'maker');
    const { body } = await tick({ ...studio, operator: colleague }, id, 0);
    expect(body.job.checklist[0].ticked_by.id).toBe(showId('user', studio.operator.userId));
    expect((await tick({ ...studio, operator: colleague }, id, 1, false)).body.job.checklist).toMatchObject([
      { ticked_at: expect.any(String) },
      { ticked_at: null },
    ]);
  });

  test('each round begins without ticks', async () => {
    const id = await newJobToCheck(studio, 'running', 'Spelling');
    await tick(studio, id, 0);
    await makeMoves(studio, id, 'submit', 'pass', 'revision');
    expect((await read(id)).checklist).toMatchObject([{ ticked_at: null }]);
    await makeMoves(studio, id, 'start');
    expect(said(await tryMove(studio, id, 'submit'))).toBe('409 checklist_open');
  });
});

test('a job keeps the checklist of the version by which it was ordered', async () => {
  const logo = '        turnaround_hours: 72\n        revision_hours: 36';
  const dir = catalogWith([[logo, `        checklist: [Spelling, 'Bleed of 3 mm']\n${logo}`]]);
  const own = await createStudio({ CATALOG_DIR: dir });
  const id = await newJobIn(own, 'running');
  const { checklist } = await deskJob(own, id, own.operator.token);
  expect(checklist.map(({ text }: { text: string }) => text)).toEqual(['Spelling', 'Bleed of 3 mm']);
  const { body } = await own.service.call('GET', '/api/v1/catalog');
  expect(JSON.stringify(body)).not.toContain('Bleed of 3 mm');
  await own.service.close();
});

test('a worker reads the checklist without names, and is exempt', async () => {
  const worker = await makeWorker(studio);
  const { id, token } = await leasedJob(studio, worker);
  await askToCheck(studio, id, 'Spelling', 'Bleed');
  await tick(studio, id, 0);
  const { body } = await moveAs(studio, worker, id, 'start', token);
  expect(body.job.checklist[0]).toMatchObject({ text: 'Spelling', ticked_by: { name: '' } });
  expect(said(await moveAs(studio, worker, id, 'submit', token))).toBe('200');
});

test('404 job_not_found', async () => {
  expect(said(await tick(studio, 'job_01jd3vsh8xe7rtx1zqbdnzc4v0', 0))).toBe('404 job_not_found');
});

test('409 invalid_transition: before and after the work', async () => {
  for (const status of ['queued', 'completed'] as const)
    expect(said(await tick(studio, await newJobToCheck(studio, status, 'Spelling'), 0))).toBe('409 invalid_transition');
});

test('422 invalid_request: no such item', async () => {
  expect(said(await tick(studio, await newJobToCheck(studio, 'running', 'Spelling'), 1))).toBe('422 invalid_request');
});
