import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { makeMoves, newCustomer, post, setPlan, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { choose, mailsTo, sendMails, toldTo } from '../../test/support/notifications.ts';
import { addMember, type TestPerson } from '../../test/support/people.ts';
import { newDelivery } from '../../test/support/review.ts';
import { transact } from '../db/pool.ts';
import { showId } from '../lib/id.ts';
import { queueMail } from '../mail/outbox.ts';

let studio: Studio;
beforeAll(async () => {
  studio = await sharedStudio();
  await setPlan(studio.service, studio.ada, 'studio', { concurrency_limit: 1000, quota: 1000 });
});

const ask = (id: string, { userId }: { userId: string }, as = studio.ada.token, key?: string) =>
  post(studio.service, as, `/api/v1/jobs/${id}/ask-to-look`, { user_id: showId('user', userId) }, key);
const colleague = (name: string) => addMember(studio.service, studio.ada, 'member', name);
const mailsAbout = async (person: TestPerson, id: string) => {
  await sendMails(studio.service);
  return mailsTo(studio.service, person).filter(({ text }) => text.includes(id));
};
const toldAbout = async (person: TestPerson, id: string) =>
  (await toldTo(studio.service, person)).filter(({ job_id }) => job_id === id);

test('200: the colleague is told in the app and by mail, with the name of who asks and the way to the review', async () => {
  const { id } = await newDelivery(studio);
  const [mira, otto] = [await colleague('Mira & Co'), await colleague('Otto')];
  const { status, body } = await ask(id, otto, mira.token);
  expect([status, body]).toEqual([
    200,
    { user_id: showId('user', otto.userId), name: 'Otto', asked_at: expect.any(String) },
  ]);
  expect(await toldAbout(otto, id)).toMatchObject([
    { kind: 'asked_to_look', title: 'Mira & Co asks you to look', path: `/jobs/${id}?review=newest`, read_at: null },
  ]);
  const [mail, ...more] = await mailsAbout(otto, id);
  expect(more).toEqual([]);
  expect(mail?.subject).toContain('Mira & Co asks you to look: ');
  expect(mail?.text).toContain('Mira & Co asks you to look at "');
  expect(mail?.html).toContain('Mira &amp; Co asks you');
  expect(mail?.html).toContain(`/jobs/${id}?review=newest"`);
});

test('200: a person is asked about two jobs with one request id', async () => {
  const otto = await colleague('Otto');
  const ids = [(await newDelivery(studio)).id, (await newDelivery(studio)).id];
  for (const id of ids) {
    const body = { user_id: showId('user', otto.userId) };
    const headers = { 'x-request-id': 'my-own-request-id' };
    const path = `/api/v1/jobs/${id}/ask-to-look`;
    expect((await studio.service.call('POST', path, { as: studio.ada.token, body, headers })).status).toBe(200);
    expect(await toldAbout(otto, id)).toHaveLength(1);
  }
});

test('200: whoever was asked within the hour, by anybody, is told once; later again', async () => {
  const { id } = await newDelivery(studio);
  const [mira, otto] = [await colleague('Mira'), await colleague('Otto')];
  const [first, ...others] = await Promise.all([ask(id, otto), ask(id, otto), ask(id, otto, mira.token)]);
  expect(others.map(({ status, body }) => [status, body.asked_at])).toEqual([
    [200, first?.body.asked_at],
    [200, first?.body.asked_at],
  ]);
  expect([(await toldAbout(otto, id)).length, (await mailsAbout(otto, id)).length]).toEqual([1, 1]);
  await sql`
    update notifications set created_at = created_at - interval '61 minutes'
    where user_id = ${otto.userId}`.execute(studio.service.context.db);
  await ask(id, otto);
  // The bell shows the newest of a job.
  expect([(await toldAbout(otto, id)).length, (await mailsAbout(otto, id)).length]).toEqual([1, 2]);
});

test('200: the kind is a choice of the person; no mail is sent once the review has ended', async () => {
  const { id } = await newDelivery(studio);
  const [mira, otto] = [await colleague('Mira'), await colleague('Otto')];
  await choose(studio.service, otto, ['asked_to_look'], 'never');
  await ask(id, otto);
  expect([(await toldAbout(otto, id)).length, (await mailsAbout(otto, id)).length]).toEqual([1, 0]);
  await ask(id, mira);
  expect((await mailsAbout(mira, id)).length).toBe(1);
  await makeMoves(studio, id, 'approve');
  const { rows } = await sql<{ id: string }>`
    select id from notifications where user_id = ${mira.userId}`.execute(studio.service.context.db);
  const data = { notification_id: rows[0]?.id ?? '' };
  await transact(studio.service.context.db, (trx) =>
    queueMail(trx, { kind: 'notification', userId: mira.userId, data }),
  );
  expect((await mailsAbout(mira, id)).length).toBe(1);
});

test('404 member_not_found: somebody of another account, and nobody', async () => {
  const { id } = await newDelivery(studio);
  const { person } = await newCustomer(studio.service, 'studio');
  for (const userId of [person.userId, '01900000-0000-7000-8000-000000000000'])
    expect((await ask(id, { userId })).body.error.code).toBe('member_not_found');
  expect(await toldAbout(person, id)).toEqual([]);
});

test('409 invalid_transition: the review has ended', async () => {
  const { id } = await newDelivery(studio);
  const otto = await colleague('Otto');
  await makeMoves(studio, id, 'approve');
  expect((await ask(id, otto)).body.error.code).toBe('invalid_transition');
});

test('422 invalid_request: oneself', async () => {
  const { id } = await newDelivery(studio);
  const { status, body } = await ask(id, studio.ada);
  expect([status, body.error.details]).toEqual([
    422,
    [{ location: '/user_id', message: 'must name somebody else than you' }],
  ]);
});

test('401 credential_not_accepted: an API key', async () => {
  const { id } = await newDelivery(studio);
  expect((await ask(id, await colleague('Otto'), studio.key)).body.error.code).toBe('credential_not_accepted');
});

test('the version before, which has no words for it, does not read it', async () => {
  const { id } = await newDelivery(studio);
  const otto = await colleague('Otto');
  await ask(id, otto);
  const { rows } = await sql`
    select side from notifications where user_id = ${otto.userId} and kind = 'asked_to_look'`.execute(
    studio.service.context.db,
  );
  expect(rows).toEqual([{ side: 'team' }]);
});
