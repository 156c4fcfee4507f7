import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sharedStudio, newJob, newJobIn, type Studio } from '../../test/support/jobs.ts';
import { choose, mailsTo, sendMails, toldTo } from '../../test/support/notifications.ts';
import { addMember } from '../../test/support/people.ts';
import { sayAtDesk } from '../../test/support/talk.ts';
import { queueDigests } from './queue-digests.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));
beforeEach(() => void studio.service.emails.splice(0));

const rejected = (as: string) => newJobIn({ ...studio, key: as }, 'rejected');

test('200: now is mailed with one click to end it, daily once a day, never not at all; all are in the app', async () => {
  const people = [studio.ada, await addMember(studio.service, studio.ada, 'member')];
  const [now, daily] = people as [typeof studio.ada, typeof studio.ada];
  const never = await addMember(studio.service, studio.ada, 'member');
  await choose(studio.service, daily, ['rejected'], 'daily');
  const chosen = await choose(studio.service, never, ['rejected', 'plan'], 'never');
  expect(chosen.body.notification_choices).toContainEqual(expect.objectContaining({ kind: 'plan', mail: 'never' }));
  for (const person of [now, daily, never]) await rejected(person.token);
  await rejected(daily.token);
  await sendMails(studio.service);
  expect(mailsTo(studio.service, now)).toMatchObject([
    { subject: expect.stringMatching(/^Rejected: /), text: expect.stringContaining('/unsubscribe?token=') },
  ]);
  expect([mailsTo(studio.service, daily), mailsTo(studio.service, never)]).toEqual([[], []]);
  for (const person of [now, daily, never]) expect((await toldTo(studio.service, person)).length).toBeGreaterThan(0);

  const { db } = studio.service.context;
  const stopped = new AbortController().signal;
  await sql`update notifications set created_at = created_at - interval '1 day'`.execute(db);
  for (const _ of [1, 2]) await queueDigests(db, 'Europe/Berlin', stopped);
  await sendMails(studio.service);
  expect(mailsTo(studio.service, daily)).toMatchObject([{ subject: '2 things since yesterday' }]);
  expect([mailsTo(studio.service, now).length, mailsTo(studio.service, never).length]).toEqual([1, 0]);
});

test('200: what was seen in the app before 7:00 is not in the mail of the day', async () => {
  const person = await addMember(studio.service, studio.ada, 'member');
  await choose(studio.service, person, ['rejected'], 'daily');
  await rejected(person.token);
  const [{ id } = { id: '' }] = await toldTo(studio.service, person);
  const { db } = studio.service.context;
  await sql`update notifications set created_at = created_at - interval '1 day'`.execute(db);
  await studio.service.call('POST', `/api/auth/notifications/${id}/read`, { as: person.token, body: {} });
  await queueDigests(db, 'UTC', new AbortController().signal);
  await sendMails(studio.service);
  expect(mailsTo(studio.service, person)).toEqual([]);
});

test('422 invalid_request: an unknown kind, none, and an unknown choice', async () => {
  for (const [kinds, mail] of [
    [['rain'], 'now'],
    [[], 'now'],
    [['plan'], 'hourly'],
  ] as const) {
    const { status, body } = await choose(studio.service, studio.ada, [...kinds], mail);
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
  }
});

test('200: somebody with a daily mail is notified again of a job with new messages', async () => {
  const person = await addMember(studio.service, studio.ada, 'member');
  await choose(studio.service, person, ['message'], 'daily');
  const id = await newJob(studio.service, person.token);
  const { db } = studio.service.context;
  for (const text of ['One.', 'Two.']) {
    await sayAtDesk(studio, id, text);
    await sql`update notifications set created_at = created_at - interval '1 day'`.execute(db);
    await queueDigests(db, 'UTC', new AbortController().signal);
    await sendMails(studio.service);
  }
  expect(mailsTo(studio.service, person).map(({ subject }) => subject)).toEqual([
    '1 thing since yesterday',
    '1 thing since yesterday',
  ]);
  expect((await toldTo(studio.service, person)).filter(({ job_id }) => job_id === id)).toHaveLength(1);
});

test('200: what waits for the mail of the day, or for the mail server, is not mailed after a change of mind', async () => {
  const person = await addMember(studio.service, studio.ada, 'member');
  await choose(studio.service, person, ['rejected'], 'daily');
  await rejected(person.token);
  await choose(studio.service, person, ['rejected'], 'never');
  const { db } = studio.service.context;
  await sql`update notifications set created_at = created_at - interval '1 day'`.execute(db);
  await queueDigests(db, 'UTC', new AbortController().signal);
  await sendMails(studio.service);
  expect(mailsTo(studio.service, person)).toEqual([]);
});

test('200: what happened after 7:00 waits for the mail of the next day', async () => {
  const person = await addMember(studio.service, studio.ada, 'member');
  await choose(studio.service, person, ['rejected'], 'daily');
  await rejected(person.token);
  const { db } = studio.service.context;
  const yesterday = sql`update notifications set created_at = created_at - interval '1 day'
    where user_id = ${person.userId}`;
  await yesterday.execute(db);
  await rejected(person.token);
  for (const mails of [1, 2]) {
    await queueDigests(db, 'UTC', new AbortController().signal);
    await sendMails(studio.service);
    expect(mailsTo(studio.service, person)).toHaveLength(mails);
    await yesterday.execute(db);
  }
});
