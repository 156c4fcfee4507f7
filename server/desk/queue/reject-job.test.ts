import { beforeAll, expect, test } from 'vitest';
import { deskMove } from '../../../test/support/desk-moves.ts';
import {
  activeJobsOf,
  makeMoves,
  newCustomer,
  newJob,
  newJobIn,
  sharedStudio,
  post,
  setPlan,
  type Studio,
  usedOf,
} from '../../../test/support/jobs.ts';
import type { MoveName } from '../../../contract/moves.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const reject = deskMove(() => studio, 'reject');

test('200 from queued, accepted, running and needs_review: the job after the move', reject.works);
test('200 again with the same Idempotency-Key: one move', reject.happensOncePerKey);
test('200 for one of three at the same moment', reject.isWonByOne);
test('409 invalid_transition: from any other status', reject.isRefusedElsewhere);
test('422 idempotency_key_conflict: the same key with another body', () =>
  reject.refusesAnotherBodyWithTheKey({ code: 'other', message: 'Another reason.' }));
test('422 invalid_request: an unknown field, a bad Idempotency-Key, a reason that is none', () =>
  reject.refusesBodies(
    {},
    { code: 'dull', message: 'No.' },
    { code: 'other' },
    { code: 'other', message: ' ' },
    { code: 'other', message: 'x'.repeat(2_001) },
  ));

test.each(['out_of_scope', 'unsafe', 'unclear', 'capacity', 'other'])(
  '200 with the code %s and a message, which the customer reads',
  async (code) => {
    const id = await newJobIn(studio, 'running');
    const active = await activeJobsOf(studio.service, studio.ada);
    const { body } = await reject.ask(id, { code, message: 'Not with us.' });
    expect(body.job).toMatchObject({ status: 'rejected', holder: null, reason: { code, message: 'Not with us.' } });
    expect((await reject.seen(id)).job.reason).toEqual({ code, message: 'Not with us.' });
    expect(await activeJobsOf(studio.service, studio.ada)).toBe(active - 1);
  },
);

test.each<[number, MoveName[]]>([
  [1, []],
  [1, ['accept']],
  [1, ['accept', 'start']],
  [1, ['accept', 'start', 'submit']],
  [1, ['accept', 'start', 'submit', 'return', 'release']],
  [0, ['accept', 'start', 'submit', 'pass', 'revision']],
  [0, ['accept', 'start', 'submit', 'pass', 'revision', 'release']],
  [0, ['accept', 'start', 'submit', 'pass', 'revision', 'start', 'submit']],
])('200 gives back %i after %j', async (given, moves) => {
  const id = await newJob(studio.service, studio.key);
  const before = await usedOf(studio.service, studio.ada);
  await makeMoves(studio, id, ...moves, 'reject');
  expect(await usedOf(studio.service, studio.ada)).toEqual({ studio: before.studio! - given });
});

test('200 gives back to the period that paid, also when it is over or the plan is gone', async () => {
  const { person, key } = await newCustomer(studio.service, 'agent', 'solo');
  const ids = [await newJob(studio.service, key), await newJob(studio.service, person.token)];
  await setPlan(studio.service, person, 'agent', { renewed: true });
  await setPlan(studio.service, person, 'solo', { status: 'canceled' });
  for (const id of ids) expect((await reject.ask(id)).status).toBe(200);
  expect(await usedOf(studio.service, person)).toEqual({ agent: 0, solo: 0 });
  const usage = (await studio.service.call('GET', '/api/v1/usage', { as: key })).body.usage;
  expect(usage.recent_events.map(({ quantity }: { quantity: number }) => quantity)).toEqual([-1, -1, 1, 1]);
  expect((await post(studio.service, key, `/api/v1/jobs/${ids[0]}/cancel`)).status).toBe(409);
});
