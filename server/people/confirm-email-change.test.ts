import { beforeAll, expect, test } from 'vitest';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { goodPassword, mailedToken, signIn, signUp, signUpUnverified } from '../../test/support/people.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const confirm = (as: string, token: string) =>
  service.call('POST', '/api/auth/change-email/confirm', { as, body: { token } });
async function askFor(as: string, email: string): Promise<string> {
  await service.call('POST', '/api/auth/change-email', { as, body: { email, password: goodPassword } });
  return mailedToken(service, email, 'Confirm');
}

test('200: the new address signs in, counts as verified, and the old one gets a mail with the way to undo it', async () => {
  const ada = await signUp(service);
  const { body } = await confirm(ada.token, await askFor(ada.token, 'ada2@example.com'));
  expect(body.user).toMatchObject({ email: 'ada2@example.com', email_verified: true });
  expect(await signIn(service, 'ada2@example.com')).toMatchObject({ userId: ada.userId });
  const notice = service.emails.findLast(({ to }) => to === ada.email);
  expect(notice?.subject).toBe('Your e-mail address was changed');
  expect(notice?.text).toMatch(/^http:\/\/localhost:3000\/undo-change\?token=[\w-]{43}$/m);
  expect((await service.call('GET', '/api/auth/session', { as: ada.token })).status).toBe(200);
});

test('200: an old address that nobody proved is not told', async () => {
  const ada = await signUpUnverified(service);
  expect((await confirm(ada.token, await askFor(ada.token, 'proved@example.com'))).status).toBe(200);
  expect(service.emails.filter(({ to, subject }) => to === ada.email && subject.includes('changed'))).toEqual([]);
});

test('422 invalid_request: in another session, twice, after a sign-out, or once somebody has the address', async () => {
  const ada = await signUp(service);
  const phone = await signIn(service, ada.email);
  const token = await askFor(ada.token, 'ada3@example.com');
  expect((await confirm(phone.token, token)).status).toBe(422);
  expect((await confirm((await signUp(service)).token, token)).status).toBe(422);
  expect((await confirm(ada.token, token)).status).toBe(200);
  expect((await confirm(ada.token, token)).status).toBe(422);

  const late = await askFor(ada.token, 'late@example.com');
  await signUp(service, 'Quick', 'late@example.com');
  const { status, body } = await confirm(ada.token, late);
  expect([status, body.error.details[0].location]).toEqual([422, '/token']);
});

test('422 invalid_request: of a sign-up and a change to one address at the same moment one wins', async () => {
  for (let round = 0; round < 3; round++) {
    const ada = await signUp(service);
    const email = `race${round}@example.com`;
    const token = await askFor(ada.token, email);
    const body = { name: 'Quick', email, password: goodPassword };
    const [changed, signedUp] = await Promise.all([
      confirm(ada.token, token),
      service.call('POST', '/api/auth/sign-up/email', { body }),
    ]);
    expect([changed.status, signedUp.status].toSorted()).toEqual([200, 422]);
  }
});
