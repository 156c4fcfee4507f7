import { beforeAll, expect, test } from 'vitest';
import { close, confirm, expire, openSession, readySession } from '../../test/support/intake.ts';
import { sharedStudio, newCustomer, type Studio } from '../../test/support/jobs.ts';
import { addMember } from '../../test/support/people.ts';
import { showId } from '../lib/id.ts';

let studio: Studio;
let key: string;
beforeAll(async () => void (studio = await sharedStudio()));

const list = async (query = '', as = key) => {
  const { status, body } = await studio.service.call('GET', `/api/v1/intake/sessions${query}`, { as });
  return { status, body, ids: body.intake_sessions?.map(({ id }: { id: string }) => id) };
};

test('200 with every conversation, newest first, without messages', async () => {
  const { service } = studio;
  ({ key } = await newCustomer(service, 'studio'));
  expect((await list()).body).toEqual({ intake_sessions: [], next_cursor: null });
  const first = await openSession(service, key);
  const ready = await readySession(service, key);
  const { messages, next_action: _next, ...shown } = ready;
  expect(messages).toHaveLength(2);
  const { status, body, ids } = await list();
  expect([status, ids]).toEqual([200, [ready.id, first.id]]);
  expect(body.intake_sessions[0]).toEqual(shown);
});

test('200 with who began each', async () => {
  const { service } = studio;
  const { person, key: own } = await newCustomer(service, 'studio');
  const member = await addMember(service, person, 'member');
  for (const as of [person.token, member.token, own]) await openSession(service, as);
  const { intake_sessions: sessions } = (await list('', own)).body;
  expect(sessions.map(({ created_by: { kind } }: { created_by: { kind: string } }) => kind)).toEqual([
    'api_key',
    'user',
    'user',
  ]);
  expect(sessions[1].created_by).toMatchObject({ id: showId('user', member.userId), name: expect.stringMatching(/./) });
  expect(sessions[2].created_by.id).toBe(showId('user', person.userId));
});

test('200 by status, as the clock has it', async () => {
  const { service } = studio;
  ({ key } = await newCustomer(service, 'studio'));
  const open = await openSession(service, key);
  const expired = await openSession(service, key);
  const closed = await openSession(service, key);
  const ready = await readySession(service, key);
  const confirmed = await readySession(service, key);
  await expire(service, expired.id);
  await close(service, key, closed.id);
  await confirm(service, key, confirmed.id);
  await expire(service, confirmed.id);
  expect((await list('?status=open')).ids).toEqual([open.id]);
  expect((await list('?status=expired')).ids).toEqual([expired.id]);
  expect((await list('?status=closed')).ids).toEqual([closed.id]);
  expect((await list('?status=confirmed')).ids).toEqual([confirmed.id]);
  expect((await list('?status=brief_ready,open')).ids).toEqual([ready.id, open.id]);
});

test('200 page by page, and nothing of another account', async () => {
  const { service } = studio;
  const { key: eve } = await newCustomer(service, 'studio');
  ({ key } = await newCustomer(service, 'studio'));
  await openSession(service, eve);
  const opened = [];
  for (let i = 0; i < 5; i++) opened.unshift((await openSession(service, key)).id);
  const seen = [];
  let next: string | null = '';
  while (next !== null) {
    const { body, ids } = await list(`?limit=2${next && `&cursor=${next}`}`);
    seen.push(...ids);
    next = body.next_cursor;
  }
  expect(seen).toEqual(opened);
});

test('400 invalid_request: an unknown status, a cursor of another list or account', async () => {
  const { service } = studio;
  ({ key } = await newCustomer(service, 'studio'));
  for (let i = 0; i < 2; i++) await openSession(service, key);
  const { next_cursor } = (await list('?limit=1')).body;
  const { key: eve } = await newCustomer(service);
  for (const answer of [
    await list('?status=asleep'),
    await list(`?status=open&cursor=${next_cursor}`),
    await list(`?cursor=${next_cursor}`, eve),
    await list('?cursor=x'),
  ])
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
});
