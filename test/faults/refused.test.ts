import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { setTimeout as wait } from 'node:timers/promises';
import { deadlines } from '../../server/lib/deadlines.ts';
import { addSecondFactor } from '../support/authenticator.ts';
import { signUp } from '../support/people.ts';
import { createFaultyService, type Faulty } from './faulty-service.ts';
import { ask } from './postgres.ts';

/** A machine on which passwords take so long that requests are refused at their deadline. */

vi.setConfig({ testTimeout: 400_000, hookTimeout: 300_000 });

let service: Faulty;
beforeAll(async () => void (service = await createFaultyService({ UV_THREADPOOL_SIZE: '1' })));
afterAll(() => service.close());

const signIn = (body: object) => service.call('POST', '/api/auth/sign-in/email', { body });
const count = (answers: { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length;
async function sessionsOf(email: string): Promise<number> {
  const statement = `select count(*)::int as n from sessions s join people u on u.id = s.user_id where u.email = $1`;
  return (await ask(service.folder, statement, [email]))[0].n;
}
/** So that all which still runs is over. */
const settle = () => wait(3_000);

/** So many sign-ins that one after the other they take three times the deadline: side by side they take less. */
async function countCrowd(credentials: object): Promise<number> {
  const began = performance.now();
  for (let n = 0; n < 3; n++) await signIn(credentials);
  return Math.ceil((3 * deadlines.request.answer) / ((performance.now() - began) / 3));
}

const crowdOf = (size: number, credentials: object) => Array.from({ length: size }, () => signIn(credentials));

test('of many sign-ins at once, those that are refused with 503 opened no session', async () => {
  const { email, password } = await signUp(service);
  const first = await countCrowd({ email, password });
  const before = await sessionsOf(email);
  const answers: Awaited<ReturnType<typeof signIn>>[] = [];
  // A machine that was busy while the crowd was counted serves all of it, and then a larger one comes.
  for (let crowd = first; count(answers, 503) === 0; crowd *= 2)
    answers.push(...(await Promise.all(crowdOf(crowd, { email, password }))));
  expect(count(answers, 200) + count(answers, 503)).toBe(answers.length);
  await settle();
  expect((await sessionsOf(email)) - before).toBe(count(answers, 200));
  expect((await signIn({ email, password })).status).toBe(200);
  const late = service.run
    .said()
    .split('\n')
    .filter((line) => line.includes('no answer within the deadline'));
  expect(late.length).toBeLessThanOrEqual(count(answers, 503));
  expect(late.join('\n')).not.toContain('"stack"');
});

test('of many sign-ins with a recovery code, those that are refused spent none', async () => {
  const { email, password } = await signUp(service);
  let refused = 0;
  for (let crowd = await countCrowd({ email, password }); refused === 0; crowd *= 2)
    refused = await useCodesBehind(crowd, { email, password });
});

/** Behind so many sign-ins. Returns how many recovery codes were refused. */
async function useCodesBehind(crowd: number, credentials: object): Promise<number> {
  const person = await signUp(service);
  const { recoveryCodes } = await addSecondFactor(service, person);
  const before = await sessionsOf(person.email);
  const load = crowdOf(crowd, credentials);
  await wait(500); // those stand in line first
  const tries = await Promise.all(
    recoveryCodes.map(async (code) => ({
      code,
      ...(await signIn({ email: person.email, password: person.password, code })),
    })),
  );
  await Promise.all(load);
  // Two codes at the same moment race for one list: the loser gets 403.
  const unused = tries.filter(({ status }) => status === 503 || status === 403);
  expect(count(tries, 200) + unused.length).toBe(recoveryCodes.length);
  await settle();
  expect((await sessionsOf(person.email)) - before).toBe(count(tries, 200));
  for (const { code } of unused)
    expect((await signIn({ email: person.email, password: person.password, code })).status).toBe(200);
  return count(tries, 503);
}
