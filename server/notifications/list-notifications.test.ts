import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, makeMoves, newCustomer, newJob, newJobIn, type Studio } from '../../test/support/jobs.ts';
import { mailsTo, sendMails, toldTo, unreadOf } from '../../test/support/notifications.ts';
import { addMember, closeAccount, signIn, signUp, type TestPerson } from '../../test/support/people.ts';
import { grant } from '../../test/support/plans.ts';
import { say, sayAtDesk } from '../../test/support/talk.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const ownStudio = async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  return { ...studio, ada: person, key };
};
const deliveredTo = async (own: Studio) => {
  const id = await newJob(own.service, own.ada.token);
  await makeMoves(own, id, 'accept', 'start', 'submit', 'pass');
  return id;
};

test('200: of each job the newest, with the first words behind it; what is told twice is told once', async () => {
  const own = await ownStudio();
  const id = await deliveredTo(own);
  await makeMoves(own, id, 'revision', 'start', 'submit', 'pass');
  await sayAtDesk(own, id, 'One.');
  await sayAtDesk(own, id, 'Two.');
  const rejected = await newJob(own.service, own.ada.token);
  await makeMoves(own, rejected, 'reject');
  const notifications = await toldTo(own.service, own.ada);
  expect(notifications.map(({ title, job_id }) => [title, job_id])).toEqual([
    ['Rejected', rejected],
    ['New message', id],
    ['Your plan is active', null],
  ]);
  const [gone, said] = notifications;
  expect(gone).toMatchObject({ words: { author: 'The studio', text: expect.any(String) } });
  expect(said).toMatchObject({ path: `/jobs/${id}`, read_at: null, words: { author: 'The studio', text: 'Two.' } });
  expect(await unreadOf(own.service, own.ada)).toBe(3);
});

test('200: nobody is notified of a job that they have muted, and a follower is', async () => {
  const own = await ownStudio();
  const [follower, other] = [
    await addMember(own.service, own.ada, 'member'),
    await addMember(own.service, own.ada, 'member'),
  ];
  const id = await newJob(own.service, own.ada.token);
  const follow = (as: string, following: boolean) =>
    own.service.call('PUT', `/api/v1/jobs/${id}/following`, { as, body: { following } });
  await follow(own.ada.token, false);
  await follow(follower.token, true);
  await makeMoves(own, id, 'accept', 'start', 'submit', 'pass');
  const about = async (person: TestPerson) =>
    (await toldTo(own.service, person)).filter(({ job_id }) => job_id === id).length;
  expect([await about(own.ada), await about(follower), await about(other)]).toEqual([0, 1, 0]);
  await sendMails(own.service);
  const mailed = (person: TestPerson) => mailsTo(own.service, person).filter(({ text }) => text.includes(id)).length;
  expect([mailed(own.ada), mailed(follower), mailed(other)]).toEqual([0, 1, 0]);
});

test('200: an owner who has muted a job that a key ordered is not told of it', async () => {
  const own = await ownStudio();
  const id = await newJob(own.service, own.key);
  await own.service.call('PUT', `/api/v1/jobs/${id}/following`, { as: own.ada.token, body: { following: false } });
  await sayAtDesk(own, id, 'Hello.');
  await makeMoves(own, id, 'accept', 'start', 'submit', 'pass');
  expect((await toldTo(own.service, own.ada)).filter(({ job_id }) => job_id === id)).toEqual([]);
});

test('200: a plan that begins, to owners and admins by mail; nobody else is notified', async () => {
  const owner = await signUp(studio.service);
  const [admin, member] = [
    await addMember(studio.service, owner, 'admin'),
    await addMember(studio.service, owner, 'member'),
  ];
  await grant(studio.service, owner, 'studio');
  const titles = async (person: typeof owner) => (await toldTo(studio.service, person)).map(({ title }) => title);
  expect([await titles(owner), await titles(admin), await titles(member)]).toEqual([
    ['Your plan is active'],
    ['Your plan is active'],
    [],
  ]);
  await sendMails(studio.service);
  expect(mailsTo(studio.service, owner).map(({ subject }) => subject)).toEqual([
    expect.stringMatching(/^Your plan is active: /),
  ]);
});

test('200: a sign-in from a new network, not the first one and not a known one', async () => {
  const person = await signUp(studio.service);
  await signIn(studio.service, person.email);
  await signIn(studio.service, person.email);
  expect(await toldTo(studio.service, person)).toEqual([]);
  await sql`update people set known_networks = array['another'] where id = ${person.userId}`.execute(
    studio.service.context.db,
  );
  await signIn(studio.service, person.email);
  expect(await toldTo(studio.service, person)).toMatchObject([
    { kind: 'sign_in', title: 'Sign-in from a new place', job_id: null, path: '/settings' },
  ]);
});

test('200: at the desk, what concerns the operator; for everybody else the list of the desk is empty', async () => {
  const own = await ownStudio();
  const id = await newJobIn(own, 'running');
  await say(own, id, 'Greener, please.', {}, own.ada.token);
  const notifications = await toldTo(own.service, own.operator, 'studio');
  expect(notifications[0]).toMatchObject({ kind: 'customer_message', job_id: id, path: `/desk/jobs/${id}` });
  expect(await toldTo(own.service, own.ada, 'studio')).toEqual([]);
  expect(await toldTo(own.service, own.operator)).toEqual([]);
});

test('200: only of the account that the session acts for, and nothing of one that was left or closed', async () => {
  const own = await ownStudio();
  const member = await addMember(own.service, own.ada, 'member');
  const id = await newJob(own.service, member.token);
  await makeMoves(own, id, 'accept', 'start', 'submit', 'pass');
  expect(await unreadOf(own.service, member)).toBe(1);
  await own.service.context.db.deleteFrom('members').where('user_id', '=', member.userId).execute();
  expect(await unreadOf(own.service, member)).toBe(0);
  await makeMoves(own, id, 'approve');
  await closeAccount(own.service, own.ada);
  const rows = await own.service.context.db
    .selectFrom('notifications')
    .select('id')
    .where('account_id', '=', own.ada.accountId)
    .execute();
  expect(rows).toEqual([]);
});

test('400 invalid_request: a cursor of another list, and an unknown side', async () => {
  for (const query of ['cursor=x', 'side=both']) {
    const path = `/api/auth/notifications?${query}`;
    expect((await studio.service.call('GET', path, { as: studio.ada.token })).body.error.code).toBe('invalid_request');
  }
});
