import { beforeAll, expect, test, vi } from 'vitest';
import { followEvents } from '../../test/support/event-stream.ts';
import { createService } from '../../test/support/harness.ts';
import { sharedStudio, makeMoves, newCustomer, newJob, type Studio } from '../../test/support/jobs.ts';
import { addMember, makeKey } from '../../test/support/people.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const latest = async (as = studio.key): Promise<number> =>
  (await studio.service.call('GET', '/api/v1/events', { as })).body.latest;

test('200: open with latest and no id, then each event as it happens', async () => {
  const before = await latest();
  const stream = await followEvents(studio.service, studio.key);
  expect(await stream.next()).toEqual({ event: 'open', id: null, retry: '2000', data: { latest: before } });
  const id = await newJob(studio.service, studio.key);
  await makeMoves(studio, id, 'accept');
  const [created, accepted] = await stream.events(2);
  expect(created).toMatchObject({ event: null, id: String(before + 1), data: { type: 'job.created', job: { id } } });
  expect(accepted).toMatchObject({ id: String(before + 2), data: { type: 'job.accepted' } });
  await stream.close();
});

test('200: Last-Event-ID counts before after, and what was missed comes first', async () => {
  const before = await latest();
  for (let n = 0; n < 3; n++) await newJob(studio.service, studio.key);
  const path = `/api/v1/events/stream?after=${before + 2}`;
  const byHeader = await followEvents(studio.service, studio.key, { path, lastEventId: String(before) });
  expect((await byHeader.events(3)).map(({ id }) => Number(id))).toEqual([before + 1, before + 2, before + 3]);
  const byQuery = await followEvents(studio.service, studio.key, { path });
  expect((await byQuery.events(1)).map(({ id }) => Number(id))).toEqual([before + 3]);
  await Promise.all([byHeader.close(), byQuery.close()]);
});

test('200: more than a page of missed events arrives complete and in order', async () => {
  const { person, key } = await newCustomer(studio.service, 'studio');
  await studio.service.context.db
    .updateTable('entitlements')
    .set({ quota: 10_000, concurrency_limit: 10_000 })
    .where('account_id', '=', person.accountId)
    .execute();
  await Promise.all([...Array(450)].map(() => newJob(studio.service, key)));
  const last = await latest(key);
  const stream = await followEvents(studio.service, key, { lastEventId: '0' });
  expect((await stream.events(last)).map(({ id }) => Number(id))).toEqual([...Array(last)].map((_, n) => n + 1));
  await stream.close();
});

test('200: a cursor that is ahead or expired gets resync without an id, then goes on from latest', async () => {
  const before = await latest();
  const stream = await followEvents(studio.service, studio.key, { lastEventId: String(before + 1_000) });
  expect((await stream.next())?.event).toBe('open');
  expect(await stream.next()).toEqual({ event: 'resync', id: null, retry: null, data: { latest: before } });
  await newJob(studio.service, studio.key);
  expect((await stream.events(1))[0]?.id).toBe(String(before + 1));
  await stream.close();
});

test('200: an event of another account is not seen, one of another process is', async () => {
  const { key } = await newCustomer(studio.service, 'studio');
  const other = await createService({}, { databaseUrl: studio.service.databaseUrl });
  const stream = await followEvents(other, studio.key);
  await stream.next();
  await newJob(studio.service, key);
  const id = await newJob(studio.service, studio.key);
  expect((await stream.events(1))[0]?.data).toMatchObject({ type: 'job.created', job: { id } });
  await stream.close();
  await other.close();
});

test('200: it ends with bye soon after the key is revoked, in each process', async () => {
  const other = await createService({}, { databaseUrl: studio.service.databaseUrl });
  const key = await makeKey(studio.service, studio.ada);
  const streams = [await followEvents(studio.service, key), await followEvents(other, key)];
  for (const stream of streams) await stream.next();
  const { body } = await studio.service.call('GET', '/api/v1/api-keys', { as: studio.ada.token });
  const began = performance.now();
  await studio.service.call('DELETE', `/api/v1/api-keys/${body.api_keys[0].id}`, { as: studio.ada.token });
  for (const stream of streams) {
    const entries = [];
    for (let entry = await stream.next(); entry; entry = await stream.next()) entries.push(entry);
    expect(entries.at(-1)).toMatchObject({ event: 'bye', id: null });
  }
  expect(performance.now() - began).toBeLessThan(20_000);
  await other.close();
});

test('200: it ends soon after the person signs out, is removed, or acts for another account', async () => {
  const members = await Promise.all([1, 2, 3].map(() => addMember(studio.service, studio.ada, 'member')));
  const streams = await Promise.all(members.map(({ token }) => followEvents(studio.service, token)));
  const ends = streams.map(async (stream) => {
    for (let entry = await stream.next(); entry; entry = await stream.next()) if (entry.event === 'bye') return 'bye';
    return 'cut';
  });
  const began = performance.now();
  const [out, removed, switched] = members;
  const { call, context } = studio.service;
  expect((await call('POST', '/api/auth/sign-out', { as: out!.token })).status).toBe(200);
  await context.db.deleteFrom('members').where('id', '=', removed!.memberId).execute();
  await context.db.updateTable('sessions').set({ account_id: null }).where('id', '=', switched!.sessionId).execute();
  expect(await Promise.all(ends)).toEqual(['bye', 'bye', 'bye']);
  expect(performance.now() - began).toBeLessThan(20_000);
});

test('200: a process that is stopping says bye, and its waits answer empty', async () => {
  const other = await createService({}, { databaseUrl: studio.service.databaseUrl });
  const stream = await followEvents(other, studio.key);
  await stream.next();
  const waiting = other.call('GET', `/api/v1/events?after=${await latest()}&wait=20`, { as: studio.key });
  await expect.poll(() => other.context.waits.callers().length).toBe(1);
  const began = performance.now();
  const closing = other.close();
  expect(await stream.next()).toMatchObject({ event: 'bye' });
  expect(await stream.next()).toBeNull();
  expect((await waiting).body.events).toEqual([]);
  expect(performance.now() - began).toBeLessThan(20_000);
  await closing;
});

test('429 rate_limit_exceeded: a sixth stream of a key, a 21st of an account', async () => {
  const { person } = await newCustomer(studio.service, 'studio');
  const keys = await Promise.all([...Array(5)].map(() => makeKey(studio.service, person)));
  const streams = [];
  for (const key of keys.slice(0, 4)) for (let n = 0; n < 5; n++) streams.push(await followEvents(studio.service, key));
  const refused = async (key: string) => {
    const { status, body } = await studio.service.call('GET', '/api/v1/events/stream', { as: key });
    return [status, body?.error?.code, body?.error?.message];
  };
  expect(await refused(keys[0]!)).toEqual([
    429,
    'rate_limit_exceeded',
    'Each process allows 5 streams per key at a time.',
  ]);
  expect(await refused(keys[4]!)).toEqual([
    429,
    'rate_limit_exceeded',
    'Each process allows 20 streams per account at a time.',
  ]);
  await Promise.all(streams.map((stream) => stream.close()));
  await vi.waitFor(async () => expect((await refused(keys[4]!))[0]).toBe(200), { timeout: 30_000 });
});

test('400 invalid_request: a cursor that is no number', async () => {
  for (const id of ['x', '-1', '01', '1.5', '', '1,2']) {
    const { status, body } = await studio.service.call('GET', '/api/v1/events/stream', {
      as: studio.key,
      headers: { 'last-event-id': id },
    });
    expect([status, body.error?.code], id).toEqual([400, 'invalid_request']);
  }
  const { status } = await studio.service.call('GET', '/api/v1/events/stream?after=x', { as: studio.key });
  expect(status).toBe(400);
});

test('429 rate_limit_exceeded: streams opened one after the other, by key and by account', async () => {
  const service = await createService({ RATE_OPEN_STREAM: 'account=3/60,key=2/60' });
  const { person, key } = await newCustomer(service, 'studio');
  for (let n = 0; n < 2; n++) await (await followEvents(service, key)).close();
  const open = (as: string) => service.call('GET', '/api/v1/events/stream', { as });
  const byKey = await open(key);
  expect([byKey.status, byKey.body.error.code]).toEqual([429, 'rate_limit_exceeded']);
  expect(byKey.headers.get('retry-after')).toBe(String(byKey.body.error.retry_after_seconds));
  await (await followEvents(service, person.token)).close();
  const byAccount = await open(person.token);
  expect([byAccount.status, byAccount.body.error.message]).toEqual([429, expect.stringContaining('by account')]);
  await service.close();
});
