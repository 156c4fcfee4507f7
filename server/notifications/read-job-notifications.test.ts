import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { makeMoves, newCustomer, newJob, newJobIn, post, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { choose, mailsTo, sendMails, toldTo, unreadOf } from '../../test/support/notifications.ts';
import { addMember, type TestPerson } from '../../test/support/people.ts';
import { deliverTo, newReviewLink, sayAsGuest } from '../../test/support/review-links.ts';
import { reply } from '../../test/support/review.ts';
import { say, sayAtDesk } from '../../test/support/talk.ts';
import { queueDigests } from './queue-digests.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const ownStudio = async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  return { ...studio, ada: person, key };
};
const look = (as: string, job_id: string) => post(studio.service, as, '/api/auth/notifications/read', { job_id });
const toldOf = async (person: TestPerson, job: string) =>
  (await toldTo(studio.service, person)).filter(({ job_id }) => job_id === job);
const comment = (as: string, job: string, file_id: string | undefined, text: string) =>
  post(studio.service, as, `/api/v1/jobs/${job}/comments`, { file_id, text });

test('200: all about the job, of this person alone, and of no other job', async () => {
  const own = await ownStudio();
  const noor = await addMember(own.service, own.ada, 'member');
  const [id, other] = [await newJob(own.service, own.ada.token), await newJob(own.service, own.ada.token)];
  for (const job of [id, other]) {
    await own.service.call('PUT', `/api/v1/jobs/${job}/following`, { as: noor.token, body: { following: true } });
    await makeMoves(own, job, 'accept', 'start', 'submit', 'pass');
    await sayAtDesk(own, job, 'Here it is.');
  }
  expect(await unreadOf(own.service, own.ada)).toBe(3); // two jobs and the plan
  const { status, body } = await look(own.ada.token, id);
  expect([status, body]).toEqual([200, { unread: 2 }]);
  expect((await toldOf(own.ada, id))[0]?.read_at).not.toBeNull();
  expect((await toldOf(own.ada, other))[0]?.read_at).toBeNull();
  expect((await toldOf(noor, id))[0]?.read_at).toBeNull();
  const [row] = await toldOf(noor, id);
  expect((await post(own.service, noor.token, `/api/auth/notifications/${row?.id}/read`, {})).body).toEqual({
    unread: 1,
  });
});

test('200: nothing that was looked at is in the mail of the day', async () => {
  const own = await ownStudio();
  await choose(own.service, own.ada, ['rejected', 'plan'], 'daily');
  const id = await newJobIn({ ...own, key: own.ada.token }, 'rejected');
  await look(own.ada.token, id);
  const { db } = own.service.context;
  await sql`update notifications set created_at = created_at - interval '1 day' where user_id = ${own.ada.userId}`.execute(
    db,
  );
  await queueDigests(db, 'UTC', new AbortController().signal);
  await sendMails(own.service);
  expect(mailsTo(own.service, own.ada).some(({ text }) => text.includes(id))).toBe(false);
});

test('200: a job of another account has nothing to see', async () => {
  const own = await ownStudio();
  const id = await newJobIn({ ...studio, key: studio.ada.token }, 'rejected');
  expect((await look(own.ada.token, id)).body).toEqual({ unread: 1 });
  expect((await toldOf(studio.ada, id))[0]?.read_at).toBeNull();
});

test('422 invalid_request: no job', async () => {
  const { status, body } = await post(studio.service, studio.ada.token, '/api/auth/notifications/read', {});
  expect([status, body.error.code]).toEqual([422, 'invalid_request']);
});

test('what colleagues and guests say is one line until it is seen, with its newest words; own words are none', async () => {
  const own = await ownStudio();
  const noor = await addMember(own.service, own.ada, 'member');
  await own.service.context.db.updateTable('people').set({ name: 'Noor' }).where('id', '=', noor.userId).execute();
  const stranger = await addMember(own.service, own.ada, 'member');
  const id = await newJobIn({ ...own, key: own.ada.token }, 'running');
  const [file = ''] = await deliverTo(own, id, 'mark.png');
  await look(own.ada.token, id);
  const words = async () =>
    (await toldOf(own.ada, id)).map(({ title, words: said, read_at }) => [title, said, read_at]);

  await comment(own.ada.token, id, file, 'My own.');
  await say(own, id, 'And a message of mine.', {}, own.ada.token);
  expect((await words())[0]?.[2]).not.toBeNull();

  await say(own, id, 'Greener,\n\n please.', {}, noor.token);
  await comment(noor.token, id, file, 'One.');
  expect((await comment(noor.token, id, file, `Two. ${'x'.repeat(200)}`)).status).toBe(201);
  const text = `Two. ${'x'.repeat(135)}`;
  expect(await words()).toEqual([['New comment', { author: 'Noor', text }, null]]);
  expect(await toldOf(stranger, id)).toEqual([]);

  await look(own.ada.token, id);
  const { guest } = await newReviewLink(own, id, { can_comment: true });
  expect((await sayAsGuest(own.service, guest, file, 'Wider.')).status).toBe(201);
  expect(await words()).toEqual([['New comment', { author: 'Vera', text: 'Wider.' }, null]]);
  await say(own, id, 'Greener,\n\n please.', {}, noor.token);
  expect(await words()).toEqual([['New message of a colleague', { author: 'Noor', text: 'Greener, please.' }, null]]);
  await sendMails(own.service);
  expect(mailsTo(own.service, own.ada).some(({ text: mailed }) => mailed.includes('Greener'))).toBe(false);
});

test('what colleagues and guests took back is no news; what they said besides still is', async () => {
  const own = await ownStudio();
  const noor = await addMember(own.service, own.ada, 'member');
  const id = await newJobIn({ ...own, key: own.ada.token }, 'running');
  const [file = ''] = await deliverTo(own, id, 'mark.png');
  const unread = async () =>
    (await toldOf(own.ada, id)).flatMap(({ words, read_at }) => (read_at === null ? [words?.text] : []));
  const remove = async (kind: string, thing: { id: string }) => {
    const path = `/api/v1/jobs/${id}/${kind}/${thing.id}`;
    const call = (method: string, to: string) => own.service.call(method, to, { as: noor.token, body: {} });
    const { status } = await (kind === 'messages' ? call('POST', `${path}/withdraw`) : call('DELETE', path));
    expect(status).toBe(200);
  };
  await comment(noor.token, id, file, 'Before.');
  await look(own.ada.token, id);
  const first = (await comment(noor.token, id, file, 'One.')).body.comment;
  const second = (await say(own, id, 'Two.', {}, noor.token)).body.message;
  expect(await unread()).toEqual(['Two.']);
  await remove('messages', second);
  expect(await unread()).toEqual(['One.']);
  await remove('comments', first);
  expect(await unread()).toEqual([]);
});

test('replies of colleagues and guests are news, until they are taken back', async () => {
  const own = await ownStudio();
  const noor = await addMember(own.service, own.ada, 'member');
  const id = await newJobIn({ ...own, key: own.ada.token }, 'running');
  const [file = ''] = await deliverTo(own, id, 'mark.png');
  const { comment: mine } = (await comment(own.ada.token, id, file, 'Rounder.')).body;
  const { guest } = await newReviewLink(own, id, { can_comment: true });
  await look(own.ada.token, id);
  const unread = async () =>
    (await toldOf(own.ada, id)).flatMap(({ words, read_at }) => (read_at === null ? [words?.text] : []));
  await reply(own, id, mine.id, 'And mine.', own.ada.token);
  expect(await unread()).toEqual([]);
  const { body } = await reply(own, id, mine.id, 'No, wider.', noor.token);
  expect(await unread()).toEqual(['No, wider.']);
  const path = `/api/v1/jobs/${id}/comments/${mine.id}/replies/${body.comment.replies.at(-1).id}`;
  expect((await own.service.call('DELETE', path, { as: noor.token })).status).toBe(200);
  expect(await unread()).toEqual([]);
  const byGuest = { name: 'Vera', text: 'Both.' };
  await post(own.service, guest, `/api/v1/review/comments/${mine.id}/replies`, byGuest);
  expect(await unread()).toEqual(['Both.']);
});

test('who chooses a mail of colleagues reads who wrote what', async () => {
  const own = await ownStudio();
  const noor = await addMember(own.service, own.ada, 'member');
  await choose(own.service, own.ada, ['colleague'], 'now');
  const id = await newJob(own.service, own.ada.token);
  await say(own, id, 'See https://evil.example now.', {}, noor.token);
  await sendMails(own.service);
  const { db } = own.service.context;
  const rows = db.selectFrom('notifications').select('side').where('kind', '=', 'colleague');
  expect(await rows.where('user_id', '=', own.ada.userId).execute()).toEqual([{ side: 'team' }]);
  const [mail] = mailsTo(own.service, own.ada).filter(({ text }) => text.includes(id));
  expect(mail?.text).toContain('The member: “See … now.”');
});
