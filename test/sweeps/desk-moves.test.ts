import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deskActions, deskMoves, jobStatuses } from '../../contract/moves.ts';
import { may, type OperatorRole, operatorRoles } from '../../contract/desk/operator-roles.ts';
import { showId } from '../../server/lib/id.ts';
import { bodies, createStudio, newJobIn, post, setPlan, type Studio } from '../support/jobs.ts';
import { makeOperator, type TestPerson } from '../support/people.ts';
import { leasedJob, makeWorker } from '../support/workers.ts';

/** What the pages of the desk offer is what the service takes: the holder, and a colleague of each role, try everything in every status. */
let studio: Studio;
const colleagues = {} as Record<OperatorRole, TestPerson>;
beforeAll(async () => {
  studio = await createStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000 });
  for (const role of operatorRoles) colleagues[role] = await makeOperator(studio.service, role);
});
afterAll(() => studio.service.close());

const statusOf = { role: 403, held_by_other: 409 };

async function expectAsOffered(id: string, move: (typeof deskActions)[number], by: TestPerson, role: OperatorRole) {
  const { body } = await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: by.token });
  const { status, holder } = body.job;
  const me = showId('user', by.userId);
  const offered = deskMoves(status, holder, me, (right) => may(role, right)).find((one) => one.move === move);
  const sent = move === 'hold' ? {} : bodies[move];
  const answer = await post(studio.service, by.token, `/api/operator/v1/jobs/${id}/${move}`, sent);
  // A role is checked before the job is read.
  if (!offered) return expect([403, 409]).toContain(answer.status);
  expect(answer.status).toBe(offered.refused === null ? 200 : statusOf[offered.refused]);
}

const cases = jobStatuses.flatMap((status) => deskActions.map((move) => [status, move] as const));

describe('deskMoves offers what the service takes', () => {
  test.each(cases)('%s, %s by who held it', async (status, move) => {
    await expectAsOffered(await newJobIn(studio, status), move, studio.operator, 'owner');
  });

  const byColleagues = cases.flatMap(([status, move]) => operatorRoles.map((role) => [status, move, role] as const));
  test.each(byColleagues)('%s, %s by a colleague who is %s', async (status, move, role) => {
    await expectAsOffered(await newJobIn(studio, status), move, colleagues[role], role);
  });

  const held = deskActions.flatMap((move) => operatorRoles.map((role) => [move, role] as const));
  test.each(held)('held by a worker, %s by a %s', async (move, role) => {
    const { id } = await leasedJob(studio, await makeWorker(studio), 'running');
    await expectAsOffered(id, move, colleagues[role], role);
  });
});
