import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createStudio, newJob, newJobIn, post, setPlan, type Studio } from '../../test/support/jobs.ts';
import { addMember, makeOperator, type TestPerson } from '../../test/support/people.ts';
import { ask, say, sayAtDesk } from '../../test/support/talk.ts';

let studio: Studio;
// Of its own: it lets the mails of all accounts fall due.
beforeAll(async () => {
  studio = await createStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000 });
});
afterAll(() => studio.service.close());
beforeEach(() => void studio.service.emails.splice(0));

/** Lets the time of the outbox pass. */
async function pass(seconds: number): Promise<void> {
  const { db, mailSender } = studio.service.context;
  await sql`
    update mails set due_at = due_at - make_interval(secs => ${seconds}),
      expires_at = expires_at - make_interval(secs => ${seconds})`.execute(db);
  mailSender.wake();
  await mailSender.idle();
}

const hour = 3600;
const to = ({ email }: TestPerson) => studio.service.emails.filter((mail) => mail.to === email);
const job = (as: TestPerson = studio.ada) => newJob(studio.service, as.token);
const follow = (id: string, { token }: TestPerson, following: boolean, side: 'v1' | 'operator/v1' = 'v1') =>
  studio.service.call('PUT', `/api/${side}/jobs/${id}/following`, { as: token, body: { following } });
const mailMessages = ({ token }: TestPerson, mail: 'now' | 'never') =>
  studio.service.call('PATCH', '/api/auth/notification-choices', {
    as: token,
    body: { kinds: ['message', 'customer_message'], mail },
  });

test('what nobody has read for two minutes is one mail, with all of it', async () => {
  const id = await job();
  await sayAtDesk(studio, id, 'A first sketch is ready.');
  await pass(60);
  await sayAtDesk(studio, id, 'And a second one.');
  await pass(30);
  expect(to(studio.ada)).toEqual([]);
  await pass(30);
  const [mail, ...more] = to(studio.ada);
  expect(more).toEqual([]);
  expect(mail?.subject).toMatch(/^New message: /);
  expect(mail?.text).toMatch(/The studio wrote: A first sketch is ready\.[^]*The studio wrote: And a second one\./);
  expect(mail?.text).toContain(`/jobs/${id}#answer\n`);
  await pass(hour);
  expect(to(studio.ada)).toHaveLength(1);
});

test('a message that was read or withdrawn before is not mailed', async () => {
  const [read, withdrawn] = [await job(), await job()];
  const { body } = await sayAtDesk(studio, read, 'Hello.');
  await studio.service.call('PUT', `/api/v1/jobs/${read}/messages/read`, {
    as: studio.ada.token,
    body: { message_id: body.message.id },
  });
  const { body: sent } = await sayAtDesk(studio, withdrawn, 'A mistake.');
  const path = `/api/operator/v1/jobs/${withdrawn}/messages/${sent.message.id}/withdraw`;
  expect((await post(studio.service, studio.operator.token, path)).status).toBe(200);
  await pass(121);
  expect(studio.service.emails).toEqual([]);
});

test('never to its author: the studio gets the customer’s words, other writers of the account nothing', async () => {
  const colleague = await addMember(studio.service, studio.ada, 'member');
  const id = await newJobIn(studio, 'running');
  await follow(id, colleague, true);
  await say(studio, id, 'Greener, please.', {}, studio.ada.token);
  await pass(121);
  expect([to(studio.ada), to(colleague)]).toEqual([[], []]);
  expect(to(studio.operator)).toMatchObject([
    { text: expect.stringContaining('Ada Lovelace wrote: Greener, please.') },
  ]);
  expect(to(studio.operator)[0]?.text).toContain(`/desk/jobs/${id}#answer\n`);
  await sayAtDesk(studio, id, 'It is.');
  await pass(121);
  expect([to(studio.ada).length, to(colleague).length, to(studio.operator).length]).toEqual([1, 1, 1]);
});

test('to those who follow: not after they stopped, nor to a person who wants no such mails', async () => {
  const [stopped, silent] = [await addMember(studio.service, studio.ada, 'member'), await makeOperator(studio.service)];
  const id = await job(stopped);
  await follow(id, studio.ada, true);
  await follow(id, silent, true, 'operator/v1');
  await sayAtDesk(studio, id, 'One.', {}, silent.token);
  await follow(id, stopped, false);
  await mailMessages(studio.ada, 'never');
  await pass(121);
  await say(studio, id, 'Two.', {}, stopped.token);
  await mailMessages(silent, 'never');
  await pass(121);
  expect(studio.service.emails.map((mail) => mail.to)).toEqual([]);
  await mailMessages(studio.ada, 'now');
  await sayAtDesk(studio, id, 'Three.');
  await pass(121);
  expect(to(studio.ada)).toHaveLength(1);
});

test('an owner of the account reads what a key ordered; who has left it reads nothing', async () => {
  const left = await addMember(studio.service, studio.ada, 'member');
  const id = await newJob(studio.service, studio.key);
  await follow(id, left, true);
  await sayAtDesk(studio, id, 'Hello.');
  await studio.service.context.db.deleteFrom('members').where('user_id', '=', left.userId).execute();
  await pass(121);
  expect(to(left)).toEqual([]);
  const other = await newJob(studio.service, studio.key);
  await sayAtDesk(studio, other, 'Hello.');
  await pass(121);
  expect(to(studio.ada)).toMatchObject([{ text: expect.stringContaining(other) }]);
});

test('an open question is mailed again after 24 hours, 3 days and 7 days', async () => {
  const id = await job();
  await ask(studio, id, 'Which green?');
  await pass(121);
  expect(to(studio.ada).map(({ subject }) => subject)).toEqual([expect.stringMatching(/^New message/)]);
  for (const [days, mails] of [
    [1, 1],
    [1, 1],
    [1, 2],
    [3, 2],
    [1, 3],
    [30, 3],
  ] as const) {
    await pass(days * 24 * hour);
    const reminders = to(studio.ada).filter(({ subject }) => subject.startsWith('The studio waits for your answer'));
    expect(reminders).toHaveLength(mails);
    for (const { text } of reminders) expect(text).toContain('Which green?');
  }
});

test('an answered question is mailed no more, and one that comes later by its own time', async () => {
  const id = await job();
  await ask(studio, id, 'Which green?');
  await pass(23 * hour);
  await say(studio, id, 'Dark.', {}, studio.ada.token);
  await ask(studio, id, 'And which font?');
  await pass(121);
  studio.service.emails.splice(0);
  await pass(2 * hour);
  expect(to(studio.ada)).toEqual([]);
  await pass(22 * hour);
  expect(to(studio.ada)).toMatchObject([{ text: expect.stringContaining('And which font?') }]);
});

test('what people write is text in a mail: no markup, no link and no other direction', async () => {
  const customer_title = 'A <b>sign</b>';
  const id = await newJob(studio.service, studio.ada.token, { customer_title });
  await sayAtDesk(studio, id, '<img src=x onerror=alert(1)> https://evil.example/pay \u202egpj.exe\nTo: somebody');
  await pass(121);
  const [mail] = to(studio.ada);
  expect(mail?.html).toContain('&lt;img src=x');
  expect(mail?.html).not.toMatch(/<img|<b>sign|evil\.example/);
  for (const text of [mail?.subject, mail?.text, mail?.html]) expect(text).not.toMatch(/\u202e|evil\.example/);
});
