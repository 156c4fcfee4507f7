import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../../test/support/people.ts';
import { createService, type Service } from '../../test/support/harness.ts';

let service: Service;
beforeAll(async () => void (service = await createService()));
afterAll(() => service.close());

const verify = (token: string) => service.call('GET', `/api/auth/verify-email?token=${token}`);

test('200: the address is verified; following the link again does no harm, and no session is opened', async () => {
  const { email, userId } = await signUp(service);
  const token = await service.context.auth.makeVerificationToken(email);
  for (const _ of [1, 2]) {
    const answer = await verify(token);
    expect([answer.status, answer.body]).toEqual([200, { done: true }]);
    expect(answer.headers.getSetCookie()).toEqual([]);
  }
  const user = await service.context.db.selectFrom('auth.user').selectAll().where('id', '=', userId).executeTakeFirst();
  expect(user?.email_verified).toBe(true);
});

test('400 invalid_request: forged, for an unknown address, or another kind of token', async () => {
  const person = await signUp(service);
  const genuine = await service.context.auth.makeVerificationToken(person.email);
  const unknown = await service.context.auth.makeVerificationToken('nobody@example.com');
  for (const token of [`${genuine.slice(0, -3)}AAA`, unknown, 'junk', encodeURIComponent(person.token)]) {
    const { status, body } = await verify(token);
    expect([status, body.error.code, body.error.details[0].location]).toEqual([400, 'invalid_request', 'token']);
  }
});

test('the page of the link says what to do where the token does not hold, and shows nothing of it', async () => {
  const text = async (query: string) => {
    const answer = await fetch(`${service.url}/verify-email${query}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
    return answer.text();
  };
  const plain = await text('');
  expect(plain).toContain('This link does not work any more');
  for (const query of ['?token=junk', '?token=<script>', '?token=a&token=b', `?token=${'x'.repeat(5_000)}`])
    expect(await text(query)).toBe(plain);
});

test('400 invalid_request: no token', async () => {
  expect((await service.call('GET', '/api/auth/verify-email')).status).toBe(400);
});
