import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, makeMoves, newJob, post, type Studio, uuidOf, waysTo } from '../../test/support/jobs.ts';
import { addMember } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const mailsAbout = (id: string) => studio.service.emails.filter(({ text }) => text.includes(`/jobs/${id}\n`));
const readersOf = (id: string) =>
  mailsAbout(id)
    .map(({ to }) => to)
    .toSorted();

test('the person who ordered the job gets a mail that it is ready, with a link to it and the time that is left', async () => {
  const colleague = await addMember(studio.service, studio.ada, 'member');
  const id = await newJob(studio.service, colleague.token, { customer_title: 'A sign <for> "Rise"' });
  await makeMoves(studio, id, ...waysTo.needs_review);
  expect(mailsAbout(id), 'not while the studio checks its work').toEqual([]);
  await makeMoves(studio, id, 'pass');
  const [mail, ...more] = mailsAbout(id);
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ to: colleague.email, subject: 'Ready for your review: A sign <for> "Rise"' });
  expect(mail?.text).toContain(
    'delivered "A sign <for> "Rise"". Look at it and approve it, or ask for changes: 3 rounds',
  );
  expect(mail?.text).toMatch(/is approved automatically on \d+ \w+ \d{4} at \d\d:\d\d UTC\./);
  expect(mail?.html).toContain(`href="http://localhost:3000/jobs/${id}"`);
  expect(mail?.html).toContain('A sign &lt;for&gt;');
});

test('a link in a title does not stand in the mail', async () => {
  const customer_title = 'Win at https://evil.example/pay or www.evil.example, now';
  const id = await newJob(studio.service, studio.key, { customer_title });
  await makeMoves(studio, id, ...waysTo.ready_for_customer_review);
  expect(mailsAbout(id)[0]?.text).toContain('delivered "Win at … or … now".');
});

test('the owners get the mail of a job that a key ordered', async () => {
  const other = await addMember(studio.service, studio.ada, 'owner');
  await addMember(studio.service, studio.ada, 'admin');
  const id = await newJob(studio.service, studio.key);
  await makeMoves(studio, id, ...waysTo.ready_for_customer_review);
  expect(readersOf(id)).toEqual([studio.ada.email, other.email].toSorted());
});

test('the owners get the mail if the person who ordered it has left', async () => {
  const early = await addMember(studio.service, studio.ada, 'member');
  const one = await newJob(studio.service, early.token);
  await studio.service.call('DELETE', `/api/auth/members/${showId('mem', early.memberId)}`, { as: studio.ada.token });
  await makeMoves(studio, one, ...waysTo.ready_for_customer_review);
  expect(readersOf(one)).toContain(studio.ada.email);
  expect(readersOf(one)).not.toContain(early.email);
});

test('each delivery is announced', async () => {
  const id = await newJob(studio.service, studio.ada.token);
  await makeMoves(studio, id, ...waysTo.ready_for_customer_review);
  await makeMoves(studio, id, 'revision', 'start', 'submit', 'pass');
  expect(mailsAbout(id).map(({ text }) => /\d rounds?/.exec(text)?.[0])).toEqual(['3 rounds', '2 rounds']);
});

test('an option without quality review tells at once, and a repeated submission tells once', async () => {
  const id = await newJob(studio.service, studio.ada.token);
  await sql`update jobs set quality_review = false where id = ${uuidOf('job', id)}`.execute(studio.service.context.db);
  await makeMoves(studio, id, 'accept', 'start');
  for (const _ of [1, 2]) {
    const path = `/api/operator/v1/jobs/${id}/submit`;
    expect((await post(studio.service, studio.operator.token, path, { message: 'Here.' }, 'once')).status).toBe(200);
  }
  expect(mailsAbout(id)).toHaveLength(1);
});
