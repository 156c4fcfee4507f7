import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { post, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { addMember, signUp } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const create = (as: string, body: object = {}) => post(studio.service, as, '/api/auth/calendar', body);
const feed = (url: string) => fetch(studio.service.url + new URL(url).pathname);

test('201: an address, which is shown once and stored as a hash; the next one replaces it', async () => {
  const { status, body } = await create(studio.ada.token);
  expect(status).toBe(201);
  expect(body.calendar).toEqual({ with_titles: false, created_at: expect.any(String) });
  expect(body.url).toMatch(/^http:\/\/localhost:3000\/calendars\/[\w-]{43}\.ics$/);
  expect((await feed(body.url)).status).toBe(200);
  const { db } = studio.service.context;
  const { rows } = await sql<{ text: string }>`
    select coalesce(string_agg(t::text, ''), '') || (select string_agg(a::text, '') from audit_log a) as text
    from calendars t`.execute(db);
  expect(rows[0]?.text).not.toContain(body.url.slice(-40, -4));
  const next = await create(studio.ada.token, { with_titles: true });
  expect(next.body.calendar.with_titles).toBe(true);
  expect((await feed(body.url)).status).toBe(404);
  expect((await feed(next.body.url)).status).toBe(200);
});

test('201: each member has one of their own', async () => {
  const mine = await create(studio.ada.token);
  const theirs = await create((await addMember(studio.service, studio.ada, 'member')).token);
  expect([mine.status, theirs.status]).toEqual([201, 201]);
  expect((await feed(mine.body.url)).status).toBe(200);
});

test('404 account_not_found: without an account', async () => {
  const bob = await signUp(studio.service);
  await post(studio.service, bob.token, `/api/auth/accounts/${showId('acct', bob.accountId)}/leave`);
  await sql`delete from members where user_id = ${bob.userId}`.execute(studio.service.context.db);
  expect((await create(bob.token)).body.error.code).toBe('account_not_found');
});

test('422 invalid_request: an unknown choice', async () => {
  expect((await create(studio.ada.token, { with_titles: 'yes' })).status).toBe(422);
});
