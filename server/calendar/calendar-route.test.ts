import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  createStudio,
  newCustomer,
  newJob,
  newJobIn,
  post,
  readJob,
  sharedStudio,
  type Studio,
} from '../../test/support/jobs.ts';
import { addMember, closeAccount, signUp, type TestPerson } from '../../test/support/people.ts';
import { ask } from '../../test/support/talk.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

async function newCalendar(person: TestPerson, body: object = {}): Promise<string> {
  const answer = await post(studio.service, person.token, '/api/auth/calendar', body);
  expect(answer.status).toBe(201);
  return new URL(answer.body.url).pathname;
}

async function get(path: string, init: RequestInit = {}) {
  const answer = await fetch(studio.service.url + path, init);
  return { status: answer.status, headers: answer.headers, text: (await answer.text()).replaceAll('\r\n ', '') };
}

/** What an answer is but for its request id and time. */
async function faultOf(path: string) {
  const { status, headers, text } = await get(path);
  const { 'x-request-id': id, date: _, 'content-length': __, ...rest } = Object.fromEntries(headers);
  return { status, headers: rest, text: text.replace(id ?? '', '…') };
}

test('200 has the next date of each open job, by its title only if that was asked for', async () => {
  const { service, key, ada } = studio;
  const due = await newJob(service, key, { customer_title: 'Shop front' });
  const review = await newJobIn(studio, 'ready_for_customer_review');
  await newJobIn(studio, 'canceled');
  const asked = await newJobIn(studio, 'running');
  await ask(studio, asked);
  const { status, headers, text } = await get(await newCalendar(ada));
  expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
  const uids = [...text.matchAll(/^UID:(.*)@/gm)].map(([, uid]) => uid);
  expect(uids).toEqual([`${asked}-question`, `${review}-review`, `${due}-first_delivery`]);
  const { due_at } = (await readJob(service, key, due)).job;
  expect(text).toContain(`DTSTART:${due_at.replace(/\.\d+|[-:]/g, '')}`);
  expect(text).toContain('SUMMARY:Job for Ada Lovelace: First delivery due');
  expect(text).not.toContain('Shop front');
  expect((await get(await newCalendar(ada, { with_titles: true }))).text).toContain(
    'SUMMARY:Shop front: First delivery due',
  );
});

test('304 for a reader who has it; HEAD has the headers alone', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  await newJob(studio.service, key);
  const path = await newCalendar(person);
  const first = await get(path);
  const etag = first.headers.get('etag') ?? '';
  const again = await get(path, { headers: { 'if-none-match': `"other", ${etag}` } });
  expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
  const head = await get(path, { method: 'HEAD' });
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
    200,
    '',
    first.headers.get('content-length'),
  ]);
  await newJob(studio.service, key);
  expect((await get(path, { headers: { 'if-none-match': etag } })).status).toBe(200);
});

test('200 has no more than the 500 newest jobs', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  const id = await newJob(studio.service, key);
  await sql`insert into jobs (account_id, id, status, service_family, service_type, customer_title,
      customer_instructions, source, plan_code, created_by_key, quality_review, other_reviewer, auto_approval_hours,
      revisions_included, due_at, created_at)
    select j.account_id, uuidv7(), j.status, j.service_family, j.service_type, 'One more', j.customer_instructions,
      j.source, j.plan_code, j.created_by_key, j.quality_review, j.other_reviewer, j.auto_approval_hours,
      j.revisions_included, j.due_at, j.created_at + n * interval '1 second'
    from jobs j, generate_series(1, 500) n where j.account_id = ${person.accountId}`.execute(studio.service.context.db);
  const { text } = await get(await newCalendar(person));
  expect(text.match(/^BEGIN:VEVENT/gm)).toHaveLength(500);
  expect(text).not.toContain(id);
});

test('404, one and the same for every fault: unknown, ended, malformed, suspended, removed, closed', async () => {
  const { service, ada, operator } = studio;
  const unknown = await faultOf(`/calendars/${'A'.repeat(43)}.ics`);
  expect(unknown.status).toBe(404);
  const member = await addMember(service, ada, 'member');
  const removed = await newCalendar(member);
  await service.call('DELETE', `/api/auth/members/${showId('mem', member.memberId)}`, { as: ada.token });
  const ended = await newCalendar(ada);
  await service.call('DELETE', '/api/auth/calendar', { as: ada.token });
  const closing = await signUp(service, 'Eve');
  const closed = await newCalendar(closing);
  await closeAccount(service, closing);
  const { person } = await newCustomer(service, 'studio');
  const suspended = await newCalendar(person);
  const desk = `/api/operator/v1/accounts/${showId('acct', person.accountId)}`;
  expect((await post(service, operator.token, `${desk}/suspend`, { reason: 'Charged back.' })).status).toBe(200);
  for (const path of [removed, ended, closed, suspended, '/calendars/x', '/calendars/%00.ics', '/calendars/a.b.ics'])
    expect(await faultOf(path), path).toEqual(unknown);
  await service.call('DELETE', `${desk}/suspension`, { as: operator.token });
});

describe('a change of role', () => {
  test('200: the calendar stays, since every role sees the jobs', async () => {
    const { service, ada } = studio;
    const member = await addMember(service, ada, 'admin');
    const path = await newCalendar(member);
    const role = { as: ada.token, body: { role: 'member' } };
    expect((await service.call('PATCH', `/api/auth/members/${showId('mem', member.memberId)}`, role)).status).toBe(200);
    expect((await get(path)).status).toBe(200);
  });
});

test('429 for a reader beyond the limit of an address or of a calendar, known or not', async () => {
  const limited = await createStudio({ RATE_READ_CALENDAR: 'address=50/60,link=1/60' });
  const path = `${limited.service.url}/calendars/${'B'.repeat(43)}.ics`;
  expect([(await fetch(path)).status, (await fetch(path)).status]).toEqual([404, 429]);
  await limited.service.close();
});
