import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { signUp } from '../support/people.ts';
import { createFaultyService, type Faulty } from './faulty-service.ts';
import { ask } from './postgres.ts';

/** A machine on which passwords take so long that requests are refused at their deadline. */

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

let service: Faulty;
beforeAll(async () => void (service = await createFaultyService({ UV_THREADPOOL_SIZE: '1' })));
afterAll(() => service.close());

test('of many sign-ins at once, those that are refused with 503 opened no session', async () => {
  const { email, password } = await signUp(service);
  const sessions = async () =>
    Number(
      (
        await ask(
          service.folder,
          'select count(*)::int as n from auth.session s join auth.user u on u.id = s.user_id where u.email = $1',
          [email],
        )
      )[0].n,
    );
  const before = await sessions();
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => service.call('POST', '/api/auth/sign-in/email', { body: { email, password } })),
  );
  const counted = (status: number) => answers.filter((answer) => answer.status === status).length;
  expect(counted(503)).toBeGreaterThan(0);
  expect(counted(200) + counted(503)).toBe(60);
  await new Promise((resolve) => setTimeout(resolve, 3_000)); // all that still runs is over
  expect((await sessions()) - before).toBe(counted(200));
  expect((await service.call('POST', '/api/auth/sign-in/email', { body: { email, password } })).status).toBe(200);
  const late = service.run
    .said()
    .split('\n')
    .filter((line) => line.includes('no answer within the deadline'));
  expect(late.length).toBeLessThanOrEqual(counted(503));
  expect(late.join('\n')).not.toContain('"stack"');
});
