import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, newJobIn, post, type Studio } from '../../test/support/jobs.ts';
import { choose, mailsTo, sendMails } from '../../test/support/notifications.ts';
import { addMember, type TestPerson } from '../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

async function tokenOf(person: TestPerson): Promise<string> {
  await newJobIn({ ...studio, key: person.token }, 'rejected');
  await sendMails(studio.service);
  return /\/unsubscribe\?token=(\S+)/.exec(mailsTo(studio.service, person).at(-1)?.text ?? '')?.[1] ?? '';
}
const mailOf = async ({ token }: TestPerson, kind: string) =>
  (await studio.service.call('GET', '/api/auth/notification-choices', { as: token })).body.notification_choices.find(
    (one: { kind: string }) => one.kind === kind,
  ).mail;

test('200: the button of the page ends mails of the kind, of no other kind and no other person', async () => {
  const token = await tokenOf(studio.ada);
  const member = await addMember(studio.service, studio.ada, 'member');
  const { status, body } = await post(studio.service, null, '/api/auth/unsubscribe', { token });
  expect([status, body]).toEqual([200, { ended: ['The studio rejected a job'] }]);
  expect([
    await mailOf(studio.ada, 'rejected'),
    await mailOf(studio.ada, 'plan'),
    await mailOf(member, 'rejected'),
  ]).toEqual(['never', 'now', 'now']);
  const before = mailsTo(studio.service, studio.ada).length;
  await newJobIn({ ...studio, key: studio.ada.token }, 'rejected');
  await sendMails(studio.service);
  expect(mailsTo(studio.service, studio.ada)).toHaveLength(before);
});

test.each([
  ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
  [
    'multipart/form-data; boundary=x',
    '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
  ],
])('204: one click of a mail program, as %s; a GET of the same address ends nothing', async (type, body) => {
  const person = await addMember(studio.service, studio.ada, 'member');
  const url = `${studio.service.url}/unsubscribe?token=${await tokenOf(person)}`;
  await fetch(url);
  expect(await mailOf(person, 'rejected')).toBe('now');
  for (const _ of [1, 2]) {
    expect((await fetch(url, { method: 'POST', body, headers: { 'content-type': type } })).status).toBe(204);
  }
  expect(await mailOf(person, 'rejected')).toBe('never');
});

test('422 invalid_request: a forged token, one of another kind with the same signature, and none', async () => {
  const person = await addMember(studio.service, studio.ada, 'member');
  const token = await tokenOf(person);
  const [user, , mac] = token.split('.');
  for (const bad of [`${user}.plan.${mac}`, `${token}x`, `${token}.x`, 'x']) {
    const { status, body } = await post(studio.service, null, '/api/auth/unsubscribe', { token: bad });
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
  }
  expect((await fetch(`${studio.service.url}/unsubscribe`, { method: 'POST' })).status).toBe(422);
  expect([await mailOf(person, 'rejected'), await mailOf(person, 'plan')]).toEqual(['now', 'now']);
});

test('200: the mail of the day ends all that it tells', async () => {
  const { signer } = studio.service.context;
  const person = await addMember(studio.service, studio.ada, 'member');
  await choose(studio.service, person, ['rejected', 'plan'], 'daily');
  const { unsubscribePath } = await import('../mail/unsubscribe-token.ts');
  const token = unsubscribePath(signer, person.userId, 'daily').split('token=')[1];
  await post(studio.service, null, '/api/auth/unsubscribe', { token });
  expect([await mailOf(person, 'rejected'), await mailOf(person, 'plan'), await mailOf(person, 'message')]).toEqual([
    'never',
    'never',
    'now',
  ]);
});
