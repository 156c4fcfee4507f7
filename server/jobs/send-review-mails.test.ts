import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createStudio, makeMoves, newJob, post, type Studio, uuidOf, waysTo } from '../../test/support/jobs.ts';
import { addMember } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';
import { emailHtml } from '../lib/mail.ts';
import { sendReviewMails } from './send-review-mails.ts';

let studio: Studio;
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const anyTime = new AbortController().signal;
const run = () => sendReviewMails(studio.service.context, anyTime);

const mailsAbout = (id: string) => studio.service.emails.filter(({ text }) => text.includes(`/jobs/${id}\n`));
const readersOf = (id: string) =>
  mailsAbout(id)
    .map(({ to }) => to)
    .toSorted();
const timePasses = () =>
  sql`update review_mails set due_at = now() where due_at > now()`.execute(studio.service.context.db);

test('who ordered the job is told that it is ready, with a link to it and the time that is left', async () => {
  const colleague = await addMember(studio.service, studio.ada, 'member');
  const id = await newJob(studio.service, colleague.token, { customer_title: 'A sign <for> "Rise"' });
  await makeMoves(studio, id, ...waysTo.needs_review);
  await run();
  expect(mailsAbout(id), 'not while the studio checks its work').toEqual([]);
  await makeMoves(studio, id, 'pass');
  await run();
  await run();
  const [mail, ...more] = mailsAbout(id);
  expect(more).toEqual([]);
  expect(mail).toMatchObject({ to: colleague.email, subject: 'Work is ready for your review' });
  expect(mail?.text).toContain(
    'delivered "A sign <for> "Rise"". Look at it and approve it, or ask for changes: 3 rounds',
  );
  expect(mail?.text).toMatch(/counts as approved on \d+ \w+ \d{4} at \d\d:\d\d UTC\./);
  expect(mail && emailHtml(mail)).toContain(`href="http://localhost:3000/jobs/${id}"`);
  expect(mail && emailHtml(mail)).toContain('A sign &lt;for&gt;');
});

test('a link in a title does not stand in the mail', async () => {
  const customer_title = 'Win at https://evil.example/pay or www.evil.example, now';
  const id = await newJob(studio.service, studio.key, { customer_title });
  await makeMoves(studio, id, ...waysTo.ready_for_customer_review);
  await run();
  expect(mailsAbout(id)[0]?.text).toContain('delivered "Win at … or … now".');
});

test('the owners are told of a job that a key ordered', async () => {
  const other = await addMember(studio.service, studio.ada, 'owner');
  await addMember(studio.service, studio.ada, 'admin');
  const id = await newJob(studio.service, studio.key);
  await makeMoves(studio, id, ...waysTo.ready_for_customer_review);
  await run();
  expect(readersOf(id)).toEqual([studio.ada.email, other.email].toSorted());
});

test('the owners are told where the person who ordered it has left; who leaves just after is told nothing', async () => {
  const [early, late] = [
    await addMember(studio.service, studio.ada, 'member'),
    await addMember(studio.service, studio.ada, 'member'),
  ];
  const leave = ({ memberId }: typeof early) =>
    studio.service.call('DELETE', `/api/auth/members/${showId('mem', memberId)}`, { as: studio.ada.token });
  const [one, two] = [await newJob(studio.service, early.token), await newJob(studio.service, late.token)];
  await leave(early);
  await makeMoves(studio, one, ...waysTo.ready_for_customer_review);
  await makeMoves(studio, two, ...waysTo.ready_for_customer_review);
  await leave(late);
  await run();
  expect(readersOf(one)).toContain(studio.ada.email);
  expect(readersOf(one)).not.toContain(early.email);
  expect(readersOf(two)).toEqual([]);
});

test('each delivery tells again; a job that was approved meanwhile tells nothing', async () => {
  const id = await newJob(studio.service, studio.ada.token);
  await makeMoves(studio, id, ...waysTo.ready_for_customer_review);
  await run();
  await makeMoves(studio, id, 'revision', 'start', 'submit', 'pass');
  await run();
  expect(mailsAbout(id).map(({ text }) => /\d rounds?/.exec(text)?.[0])).toEqual(['3 rounds', '2 rounds']);
  const approved = await newJob(studio.service, studio.ada.token);
  await makeMoves(studio, approved, ...waysTo.completed);
  await run();
  expect(mailsAbout(approved)).toEqual([]);
});

test('an option without quality review tells at once, and a repeated submission tells once', async () => {
  const id = await newJob(studio.service, studio.ada.token);
  await sql`update jobs set quality_review = false where id = ${uuidOf('job', id)}`.execute(studio.service.context.db);
  await makeMoves(studio, id, 'accept', 'start');
  for (const _ of [1, 2]) {
    const path = `/api/operator/v1/jobs/${id}/submit`;
    expect((await post(studio.service, studio.operator.token, path, { message: 'Here.' }, 'once')).status).toBe(200);
  }
  await run();
  expect(mailsAbout(id)).toHaveLength(1);
});

test('while the mail server is away a mail waits, and runs at the same moment send it once', async () => {
  const id = await newJob(studio.service, studio.ada.token);
  await makeMoves(studio, id, ...waysTo.ready_for_customer_review);
  const send = vi.spyOn(studio.service.context.mail, 'send').mockRejectedValueOnce(new Error('away'));
  await run();
  send.mockRestore();
  await run();
  expect(mailsAbout(id), 'not before its time').toEqual([]);
  await timePasses();
  await Promise.all([run(), run(), run()]);
  expect(mailsAbout(id)).toHaveLength(1);
});
