import { beforeAll, expect, test } from 'vitest';
import { createStudioApp } from '../../test/support/apps.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { addSecondFactor, authenticatorOf, signInWith } from '../../test/support/authenticator.ts';
import { newCustomer, newJob } from '../../test/support/jobs.ts';
import { goodPassword, mailedToken, makeOperator, signUp } from '../../test/support/people.ts';
import { newReviewLink, readReview } from '../../test/support/review-links.ts';

let service: Service;
beforeAll(async () => void (service = await sharedService()));

const undo = (token: string) => service.call('POST', '/api/auth/undo-change', { body: { token } });
async function changeTo(as: string, email: string): Promise<void> {
  await service.call('POST', '/api/auth/change-email', { as, body: { email, password: goodPassword } });
  const body = { token: mailedToken(service, email, 'Confirm') };
  expect((await service.call('POST', '/api/auth/change-email/confirm', { as, body })).status).toBe(200);
}
const undoToken = (email: string) =>
  /undo-change\?token=(\S+)/.exec(
    service.emails.findLast(({ to, subject }) => to === email && subject.includes('changed'))?.text ?? '',
  )?.[1] ?? '';
async function chooseNew(email: string): Promise<void> {
  const body = { token: mailedToken(service, email, 'Reset'), new_password: fresh };
  expect((await service.call('POST', '/api/auth/reset-password', { body })).status).toBe(200);
}
const fresh = 'four other good words';

test('200: the old address is back, all sessions end, and so does the password', async () => {
  const ada = await signUp(service);
  await changeTo(ada.token, 'thief@example.com');
  expect((await undo(undoToken(ada.email))).body).toEqual({ done: true });
  expect((await service.call('GET', '/api/auth/session', { as: ada.token })).status).toBe(401);
  for (const email of [ada.email, 'thief@example.com'])
    expect((await signInWith(service, { ...ada, email })).status).toBe(401);
  await chooseNew(ada.email);
  expect((await signInWith(service, ada, undefined, fresh)).status).toBe(200);
});

test('200: a change of password is undone, and the thief cannot undo that', async () => {
  const ada = await signUp(service);
  const body = { current_password: goodPassword, new_password: 'the thief’s own password' };
  expect((await service.call('POST', '/api/auth/change-password', { as: ada.token, body })).status).toBe(200);
  const owners = undoToken(ada.email);
  await service.call('POST', '/api/auth/change-email', {
    as: ada.token,
    body: { email: 'thief2@example.com', password: body.new_password },
  });
  const confirm = { token: mailedToken(service, 'thief2@example.com', 'Confirm') };
  await service.call('POST', '/api/auth/change-email/confirm', { as: ada.token, body: confirm });
  await service.call('POST', '/api/auth/change-password', {
    as: ada.token,
    body: { current_password: body.new_password, new_password: 'yet another password of theirs' },
  });
  expect((await undo(undoToken('thief2@example.com'))).status).toBe(200);
  expect((await undo(owners)).status).toBe(200);
  await chooseNew(ada.email);
  expect((await signInWith(service, ada, undefined, fresh)).status).toBe(200);
});

test('200: a second factor from before the change stays', async () => {
  const ada = await signUp(service);
  const { phone, token } = await addSecondFactor(service, ada);
  await service.context.db.deleteFrom('mail_tokens').where('user_id', '=', ada.userId).execute();
  const body = { current_password: goodPassword, new_password: 'something else entirely', code: phone() };
  expect((await service.call('POST', '/api/auth/change-password', { as: token, body })).status).toBe(200);
  expect((await undo(undoToken(ada.email))).status).toBe(200);
  await chooseNew(ada.email);
  expect((await signInWith(service, ada, undefined, fresh)).status).toBe(403);
});

test('200: a second factor that was only begun since the change is gone', async () => {
  const ada = await signUp(service);
  await changeTo(ada.token, 'begins@example.com');
  const path = '/api/auth/second-factor';
  const begun = await service.call('POST', `${path}/start`, { as: ada.token, body: { password: goodPassword } });
  const code = authenticatorOf(begun.body.otpauth_url)();
  expect((await undo(undoToken(ada.email))).status).toBe(200);
  await chooseNew(ada.email);
  const { body } = await signInWith(service, ada, undefined, fresh);
  const { status } = await service.call('POST', `${path}/confirm`, { as: body.token, body: { code } });
  expect(status).toBe(422);
});

test('200: of an operator the worker keys made since then are revoked; an older one stays', async () => {
  const operator = await makeOperator(service);
  const path = '/api/operator/v1/worker-keys';
  const make = async (name: string) => (await service.call('POST', path, { as: operator.token, body: { name } })).body;
  const older = await make('mine');
  await changeTo(operator.token, 'night-thief@example.com');
  const newer = await make('theirs');
  const claim = (as: string) =>
    service.call('POST', '/api/operator/v1/jobs/claim', { as, body: { service_families: ['nothing'] } });
  expect((await claim(newer.plaintext_key)).status).toBe(204);
  expect((await undo(undoToken(operator.email))).status).toBe(200);
  expect([(await claim(newer.plaintext_key)).status, (await claim(older.plaintext_key)).status]).toEqual([401, 204]);
  const entries = await service.context.db
    .selectFrom('audit_log')
    .select('subject')
    .where('action', '=', 'worker_key.revoked')
    .where('subject', 'in', [older.worker_key.id, newer.worker_key.id])
    .execute();
  expect(entries).toEqual([{ subject: newer.worker_key.id }]);
});

test('200: of an owner the apps registered since then end; an older one stays', async () => {
  const owner = await makeOperator(service);
  const older = (await createStudioApp(service, owner.token)).body.app.id;
  await changeTo(owner.token, 'app-thief@example.com');
  const newer = (await createStudioApp(service, owner.token)).body.app.id;
  expect((await undo(undoToken(owner.email))).status).toBe(200);
  const clients = service.context.db.selectFrom('oauth_clients').where('client_id', 'in', [older, newer]);
  const active = await clients.select('client_id').where('disabled', '=', false).execute();
  expect(active).toEqual([{ client_id: older }]);
});

test('200: as long as it can be undone, nobody else can take the old address', async () => {
  const ada = await signUp(service);
  await changeTo(ada.token, 'elsewhere@example.com');
  const body = { name: 'Eve', email: ada.email, password: goodPassword };
  expect((await service.call('POST', '/api/auth/sign-up/email', { body })).status).toBe(422);
  const eve = await signUp(service);
  const wanted = { as: eve.token, body: { email: ada.email, password: goodPassword } };
  expect((await service.call('POST', '/api/auth/change-email', wanted)).status).toBe(422);
  expect((await undo(undoToken(ada.email))).status).toBe(200);
});

test('422 invalid_request: twice, after three days, and a token that never was', async () => {
  const ada = await signUp(service);
  await changeTo(ada.token, 'once@example.com');
  const token = undoToken(ada.email);
  expect((await undo('x'.repeat(43))).status).toBe(422);
  expect((await undo(token)).status).toBe(200);
  expect((await undo(token)).status).toBe(422);
  const bob = await signUp(service);
  await changeTo(bob.token, 'tomorrow@example.com');
  await service.context.db.updateTable('mail_tokens').set({ expires_at: new Date() }).execute();
  expect((await undo(undoToken(bob.email))).status).toBe(422);
});

test('200: a calendar address made since then ends', async () => {
  const ada = await signUp(service);
  await changeTo(ada.token, 'calendar@example.com');
  const { body } = await service.call('POST', '/api/auth/calendar', { as: ada.token, body: {} });
  const feed = () => fetch(service.url + new URL(body.url).pathname);
  expect((await feed()).status).toBe(200);
  expect((await undo(undoToken(ada.email))).status).toBe(200);
  expect((await feed()).status).toBe(404);
});

test('200: review links made since then end; an older one stays', async () => {
  const { person: ada, key } = await newCustomer(service, 'studio');
  const job = await newJob(service, key);
  const link = () => newReviewLink({ service, key: ada.token }, job);
  const older = await link();
  await changeTo(ada.token, 'thief-of-links@example.com');
  const made = await link();
  expect((await undo(undoToken(ada.email))).status).toBe(200);
  expect((await readReview(service, older.guest)).status).toBe(200);
  expect((await readReview(service, made.guest)).body.error.code).toBe('review_link_not_found');
});
