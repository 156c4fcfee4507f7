import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { dueIn, said } from '../../../test/support/every-endpoint.ts';
import { createStudio, makeMoves, newJobIn, post, type Studio, uuidOf } from '../../../test/support/jobs.ts';
import { deskJob, deskPath, setAside } from '../../../test/support/makers-hours.ts';
import { makeOperator } from '../../../test/support/people.ts';
import { ask, say } from '../../../test/support/talk.ts';
import { claim, leasedJob, makeWorker } from '../../../test/support/workers.ts';

/** A studio of its own, because claims take from the whole queue. */
let studio: Studio;
beforeAll(async () => void (studio = await createStudio()));

const asOperator = () => studio.operator.token;
const read = (id: string) => deskJob(studio, id, asOperator());
const listed = async (id: string) =>
  (await studio.service.call('GET', `/api/operator/v1/jobs?id=${id}`, { as: asOperator() })).body.jobs[0];
const freeJobs = async () =>
  (await studio.service.call('GET', '/api/operator/v1/jobs/counts', { as: asOperator() })).body.counts.free;

describe('200', () => {
  test('status, holder and clock stay; pages say why and until when, and an internal note does', async () => {
    const id = await newJobIn(studio, 'running');
    const before = await read(id);
    const until = dueIn(3);
    const { status, body } = await setAside(studio, id, { reason: ' No paper. ', set_aside_until: until });
    expect(status).toBe(200);
    const set_aside = {
      reason: 'No paper.',
      set_aside_at: expect.any(String),
      set_aside_until: until,
      created_by: { kind: 'user', id: expect.any(String), name: 'Operator' },
    };
    const { notes, ...same } = before;
    expect(body.job).toMatchObject({ ...same, set_aside });
    expect(body.job.notes.at(-1).body).toBe(`Set aside until ${until.slice(0, 16).replace('T', ' ')} UTC: No paper.`);
    expect(notes).toEqual([]);
    expect((await listed(id)).set_aside).toEqual(set_aside);
  });

  test('nobody gets it by a claim until its time has come', async () => {
    const id = await newJobIn(studio, 'queued');
    const free = await freeJobs();
    await setAside(studio, id);
    expect(await freeJobs()).toBe(free - 1);
    expect((await claim(studio, asOperator())).status).toBe(204);
    expect((await claim(studio, await makeWorker(studio))).status).toBe(204);
    await sql`
      update jobs_set_aside set set_aside_until = now() - interval '1 s' where job_id = ${uuidOf('job', id)}`.execute(
      studio.service.context.db,
    );
    expect(await read(id)).toMatchObject({ set_aside: null });
    expect(await freeJobs()).toBe(free);
    expect((await claim(studio, asOperator())).body.job.id).toBe(id);
  });

  test('a job that somebody holds, or that waits for an answer, is no freer by it', async () => {
    const [held, waiting] = [await newJobIn(studio, 'running'), await newJobIn(studio, 'queued')];
    await ask(studio, waiting);
    const free = await freeJobs();
    for (const id of [held, waiting]) expect((await setAside(studio, id)).status).toBe(200);
    expect(await freeJobs()).toBe(free);
  });

  test('the same again changes nothing: one note', async () => {
    const id = await newJobIn(studio, 'accepted');
    const set_aside_until = dueIn(3);
    for (const _ of [1, 2]) await setAside(studio, id, { set_aside_until });
    expect((await read(id)).notes).toHaveLength(1);
  });

  test('again: another reason and another date', async () => {
    const id = await newJobIn(studio, 'accepted');
    await setAside(studio, id);
    const later = dueIn(89);
    await setAside(studio, id, { reason: 'No ink.', set_aside_until: later });
    expect((await read(id)).set_aside).toMatchObject({ reason: 'No ink.', set_aside_until: later });
  });

  test('a message of the customer brings it back, and so does a move', async () => {
    const written = await newJobIn(studio, 'running');
    await setAside(studio, written);
    await say(studio, written, 'Is it ready?');
    expect(await read(written)).toMatchObject({ set_aside: null });
    await setAside(studio, written, { set_aside_until: dueIn(4) });
    expect((await read(written)).set_aside).not.toBeNull();
    const moved = await newJobIn(studio, 'queued');
    await setAside(studio, moved);
    await makeMoves(studio, moved, 'accept');
    expect(await read(moved)).toMatchObject({ set_aside: null });
  });

  test('what the studio says leaves it where it is', async () => {
    const id = await newJobIn(studio, 'accepted');
    await setAside(studio, id);
    await post(studio.service, asOperator(), `${deskPath(id)}/messages`, { text: 'We are on it.' });
    expect((await read(id)).set_aside).not.toBeNull();
  });
});

test('403 role_required: a maker and the job of a colleague', async () => {
  const id = await newJobIn(studio, 'running');
  const maker = await makeOperator(studio.service, 'maker');
  expect(said(await setAside({ ...studio, operator: maker }, id))).toBe('403 role_required');
});

test('404 job_not_found', async () => {
  expect(said(await setAside(studio, 'job_01jd3vsh8xe7rtx1zqbdnzc4v0'))).toBe('404 job_not_found');
});

describe('409 invalid_transition', () => {
  test.each(['needs_review', 'ready_for_customer_review', 'completed', 'canceled'] as const)('%s', async (status) => {
    expect(said(await setAside(studio, await newJobIn(studio, status)))).toBe('409 invalid_transition');
  });

  test('a worker holds it', async () => {
    const { id } = await leasedJob(studio, await makeWorker(studio));
    expect(said(await setAside(studio, id))).toBe('409 invalid_transition');
  });
});

test.each([
  { reason: ' ' },
  { set_aside_until: dueIn(-1) },
  { set_aside_until: dueIn(91) },
  { set_aside_until: 'Thu' },
])('422 invalid_request: %j', async (wrong) => {
  expect(said(await setAside(studio, await newJobIn(studio, 'queued'), wrong))).toBe('422 invalid_request');
});
