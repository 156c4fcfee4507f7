import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MoveName } from '../../../contract/moves.ts';
import { showId } from '../../lib/id.ts';
import { catalogWith } from '../../../test/support/catalog.ts';
import { deskMove } from '../../../test/support/desk-moves.ts';
import { newDeliverable, someBytes } from '../../../test/support/files.ts';
import {
  bodies,
  createStudio,
  makeMoves,
  newJobIn,
  pathOf,
  post,
  readJob,
  sharedStudio,
  type Studio,
} from '../../../test/support/jobs.ts';
import { makeOperator } from '../../../test/support/people.ts';
import { leasedJob, makeWorker, moveAs } from '../../../test/support/workers.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const pass = deskMove(() => studio, 'pass');

test('200 from needs_review: the job after the move', pass.works);
test('200 again with the same Idempotency-Key: one move', pass.happensOncePerKey);
test('200 for one of three at the same moment', pass.isWonByOne);
test('409 invalid_transition: from any other status', pass.isRefusedElsewhere);
test('200 by any operator, and the time for review begins', async () => {
  const id = await newJobIn(studio, 'needs_review');
  const other = await makeOperator(studio.service);
  const { status, body } = await post(studio.service, other.token, pathOf('pass', id));
  expect(status).toBe(200);
  expect(Date.parse(body.job.review_due_at) - Date.parse(body.job.status_changed_at)).toBe(120 * 3600_000);
  expect(body.job.holder).toBeNull();
});

test('200: a reader who waits for the delivery has already read about its files', async () => {
  const { service, operator, key } = studio;
  const id = await newJobIn(studio, 'running');
  const file = await newDeliverable(service, operator.token, id, someBytes());
  await post(service, operator.token, pathOf('submit', id), { file_ids: [file.id] });
  await makeMoves(studio, id, 'pass');
  const { events } = await readJob(service, key, id);
  expect(events.slice(-2)).toMatchObject([
    { type: 'job.deliverable_added', job: { status: 'needs_review' }, data: { file_id: file.id } },
    { type: 'job.ready_for_customer_review', job: { status: 'ready_for_customer_review' } },
  ]);
});

describe('an option with reviewer: other', () => {
  const catalog = catalogWith([['revision_rounds: 3', 'revision_rounds: 3\n        reviewer: other']]);
  let strict: Studio;
  beforeAll(async () => void (strict = await createStudio({ CATALOG_DIR: catalog })));
  afterAll(async () => {
    await strict.service.close();
    rmSync(catalog, { recursive: true });
  });

  test('403 own_work: who submitted the work; 200 for a colleague', async () => {
    const id = await newJobIn(strict, 'needs_review');
    const { body } = await strict.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: strict.operator.token });
    expect(body.job).toMatchObject({ other_reviewer: true, worked_by: showId('user', strict.operator.userId) });
    const own = await post(strict.service, strict.operator.token, pathOf('pass', id));
    expect([own.status, own.body.error.code]).toEqual([403, 'own_work']);
    const reviewer = await makeOperator(strict.service, 'reviewer');
    expect((await post(strict.service, reviewer.token, pathOf('pass', id))).status).toBe(200);
  });

  const passBy = async ({ token }: { token: string }, id: string) => {
    const { status, body } = await post(strict.service, token, pathOf('pass', id));
    return [status, body.error?.code];
  };

  test('403 own_work: who made the key of the worker that submitted; 200 by any other reviewer', async () => {
    const worker = await makeWorker(strict);
    const { id, token } = await leasedJob(strict, worker, 'running');
    expect((await moveAs(strict, worker, id, 'submit', token)).status).toBe(200);
    expect(await passBy(strict.operator, id)).toEqual([403, 'own_work']);
    expect(await passBy(await makeOperator(strict.service, 'reviewer'), id)).toEqual([200, undefined]);
  });

  test('403 own_work: who held it before the colleague who submitted, also after a return; not in the next round', async () => {
    const id = await newJobIn(strict, 'running');
    const [maker, reviewer] = [await makeOperator(strict.service), await makeOperator(strict.service)];
    const make = async ({ token }: { token: string }, move: 'start' | 'submit' | 'return' | 'hold', body = {}) => {
      const sent = { ...bodies[move as MoveName], ...body };
      expect((await post(strict.service, token, `/api/operator/v1/jobs/${id}/${move}`, sent)).status, move).toBe(200);
    };
    await make(strict.operator, 'hold', { operator_id: showId('user', maker.userId) });
    await make(maker, 'submit');
    expect(await passBy(strict.operator, id)).toEqual([403, 'own_work']);
    await make(reviewer, 'return');
    await make(maker, 'submit');
    for (const person of [strict.operator, maker]) expect(await passBy(person, id)).toEqual([403, 'own_work']);
    expect(await passBy(reviewer, id)).toEqual([200, undefined]);
    await makeMoves(strict, id, 'revision');
    await make(maker, 'start');
    await make(maker, 'submit');
    expect(await passBy(strict.operator, id)).toEqual([200, undefined]);
  });
});
