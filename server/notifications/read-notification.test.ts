import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, newJobIn, post, type Studio } from '../../test/support/jobs.ts';
import { mailsTo, sendMails, toldTo, unreadOf } from '../../test/support/notifications.ts';
import { signUp } from '../../test/support/people.ts';
import { sayAtDesk } from '../../test/support/talk.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const see = (as: string, id: string, body: object = {}) =>
  post(studio.service, as, `/api/auth/notifications/${id}/read`, body);

test('200: one, again the same, and with all earlier ones', async () => {
  for (const _ of [1, 2, 3]) await newJobIn({ ...studio, key: studio.ada.token }, 'rejected');
  const [newest, , third] = await toldTo(studio.service, studio.ada);
  const before = await unreadOf(studio.service, studio.ada);
  for (const _ of [1, 2]) expect((await see(studio.ada.token, third!.id)).body).toEqual({ unread: before - 1 });
  expect((await see(studio.ada.token, newest!.id, { earlier: true })).body).toEqual({ unread: 0 });
  expect(await unreadOf(studio.service, studio.ada)).toBe(0);
  expect((await toldTo(studio.service, studio.ada)).every(({ read_at }) => read_at !== null)).toBe(true);
});

test('200: reading the thread of a job marks its message as seen, and the next one notifies again', async () => {
  const id = await newJobIn({ ...studio, key: studio.ada.token }, 'running');
  const unread = async () =>
    (await toldTo(studio.service, studio.ada)).filter((one) => one.kind === 'message' && one.read_at === null).length;
  const { body } = await sayAtDesk(studio, id, 'One.');
  expect(await unread()).toBe(1);
  await studio.service.call('PUT', `/api/v1/jobs/${id}/messages/read`, {
    as: studio.ada.token,
    body: { message_id: body.message.id },
  });
  expect(await unread()).toBe(0);
  await sayAtDesk(studio, id, 'Two.');
  expect(await unread()).toBe(1);
});

test('200: a message that is withdrawn or read leaves what tells of another one', async () => {
  const [withdrawn, read] = [
    await newJobIn({ ...studio, key: studio.ada.token }, 'running'),
    await newJobIn({ ...studio, key: studio.ada.token }, 'running'),
  ];
  const about = async (id: string) =>
    (await toldTo(studio.service, studio.ada)).filter(
      (told) => told.kind === 'message' && told.job_id === id && told.read_at === null,
    ).length;
  const say = async (id: string, text: string) => (await sayAtDesk(studio, id, text)).body.message.id as string;
  const withdraw = (id: string, message: string) =>
    post(studio.service, studio.operator.token, `/api/operator/v1/jobs/${id}/messages/${message}/withdraw`);
  const [first, second] = [await say(withdrawn, 'One.'), await say(withdrawn, 'Two.')];
  await withdraw(withdrawn, first);
  expect(await about(withdrawn)).toBe(1);
  await withdraw(withdrawn, second);
  expect(await about(withdrawn)).toBe(0);

  const message_id = await say(read, 'One.');
  const newest = await say(read, 'Two.');
  const see = (id: string) =>
    studio.service.call('PUT', `/api/v1/jobs/${read}/messages/read`, {
      as: studio.ada.token,
      body: { message_id: id },
    });
  await see(message_id);
  expect(await about(read)).toBe(1);
  await see(newest);
  expect(await about(read)).toBe(0);
});

test('404 notification_not_found: of another person, and an id that names nothing', async () => {
  await newJobIn({ ...studio, key: studio.ada.token }, 'rejected');
  const [mine] = await toldTo(studio.service, studio.ada);
  const other = await signUp(studio.service);
  for (const [as, id] of [
    [other.token, mine!.id],
    [studio.operator.token, mine!.id],
    [studio.ada.token, 'ntf_01jd3vsh8xe7rtx1zqbdnzc4v0'],
    [studio.ada.token, 'x'],
  ] as const)
    expect((await see(as, id)).body.error.code).toBe('notification_not_found');
  await sendMails(studio.service);
  expect(mailsTo(studio.service, other)).toEqual([]);
});
