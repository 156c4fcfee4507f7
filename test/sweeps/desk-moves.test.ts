import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deskActions, deskMoves, jobStatuses } from '../../contract/moves.ts';
import { showId } from '../../server/lib/id.ts';
import { bodies, createStudio, newJobIn, post, setPlan, type Studio } from '../support/jobs.ts';
import { makeOperator, type TestPerson } from '../support/people.ts';

/** What the pages of the desk offer is what the service takes: the holder, and a colleague, try everything in every status. */
let studio: Studio;
let colleague: TestPerson;
beforeAll(async () => {
  studio = await createStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000 });
  colleague = await makeOperator(studio.service);
});
afterAll(() => studio.service.close());

const cases = jobStatuses.flatMap((status) =>
  deskActions.flatMap((move) =>
    [true, false].map((holds) => [status, move, holds ? 'who held it' : 'a colleague'] as const),
  ),
);

describe('deskMoves offers what the service takes', () => {
  test.each(cases)('%s, %s by %s', async (status, move, who) => {
    const by = who === 'a colleague' ? colleague : studio.operator;
    const id = await newJobIn(studio, status);
    const { body } = await studio.service.call('GET', `/api/operator/v1/jobs/${id}`, { as: by.token });
    const offered = deskMoves(status, body.job.holder, showId('user', by.userId)).find((one) => one.move === move);
    const sent = move === 'hold' ? {} : bodies[move];
    const answer = await post(studio.service, by.token, `/api/operator/v1/jobs/${id}/${move}`, sent);
    expect(answer.status).toBe(offered?.refused === null ? 200 : 409);
  });
});
