import { Readable } from 'node:stream';
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { view } from '../../test/support/account-views.ts';
import { bytesOf, newDeliverable, newFile, reachable } from '../../test/support/files.ts';
import { type As, createService, type Service } from '../../test/support/harness.ts';
import { makeMoves, newCustomer, newJobIn, post, type Studio } from '../../test/support/jobs.ts';
import { addMember, makeKey, makeOperator } from '../../test/support/people.ts';
import { newReviewLink, revoke } from '../../test/support/review-links.ts';
import { leasedJob, makeWorker } from '../../test/support/workers.ts';
import { unzip } from '../../test/support/zip.ts';
import { readId } from '../lib/id.ts';
import { archiveRoute } from './archive-route.ts';

let studio: Studio;
let service: Service;
beforeAll(async () => {
  service = await createService();
  const { person: ada, key } = await newCustomer(service, 'studio');
  studio = { service, ada, key, operator: await makeOperator(service) };
});
afterAll(() => service?.close());

const [first, second] = [Buffer.alloc(200_000, 'a'), Buffer.alloc(1_000, 'b')];

/** A job with a delivery of two files, and one file of the customer. */
async function delivered() {
  const job = await newJobIn(studio, 'running');
  const files: string[] = [];
  for (const [at, bytes] of [first, second].entries())
    files.push((await newDeliverable(service, studio.operator.token, job, bytes, { file_name: `${at}.png` })).id);
  await post(service, studio.operator.token, `/api/operator/v1/jobs/${job}/submit`, { file_ids: files });
  await makeMoves(studio, job, 'pass');
  return { job, files };
}
const urlFor = async (as: As, job: string): Promise<string> => {
  const path =
    typeof as === 'object' && as && 'review' in as ? '/api/v1/review/archive' : `/api/v1/jobs/${job}/archive`;
  const { status, body } = await post(service, as, path, {});
  expect(status).toBe(200);
  return reachable(service, body.download.url);
};

/** Holds the first object back half-way, until it is let on. `opened`: how many objects were opened. */
function holdFirst() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { open } = service.context.storage;
  let opened = 0;
  const streams: Readable[] = [];
  const spy = vi.spyOn(service.context.storage, 'open').mockImplementation(async (key, milliseconds) => {
    const object = await open(key, milliseconds);
    if (!object || ++opened > 1) return object;
    const chunks = await object.stream.toArray();
    const bytes = Buffer.concat(chunks as Buffer[]);
    const stream = Readable.from(
      (async function* () {
        yield bytes.subarray(0, 100_000);
        await promise;
        yield bytes.subarray(100_000);
      })(),
    );
    streams.push(stream);
    return { bytes: bytes.length, stream };
  });
  return {
    letOn: resolve,
    opened: () => opened,
    streams,
    [Symbol.dispose]: () => spy.mockRestore(),
  };
}

/** What arrives of an archive that is held back until `meanwhile` is done. */
async function readWhile(url: string, meanwhile: () => Promise<unknown>): Promise<'whole' | 'broken'> {
  using held = holdFirst();
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  await meanwhile();
  held.letOn();
  return bytesOf(answer).then(
    (bytes) => {
      expect(unzip(bytes).length).toBe(2);
      return 'whole';
    },
    () => 'broken',
  );
}

test('an archive is whole while nothing ends', async () => {
  const { job } = await delivered();
  expect(await readWhile(await urlFor(studio.key, job), async () => {})).toBe('whole');
});

test('an archive breaks off when a file of it is deleted meanwhile', async () => {
  const { job, files } = await delivered();
  const url = await urlFor(studio.key, job);
  const end = () =>
    service.context.db
      .updateTable('files')
      .set({ status: 'deleted', deleted_at: new Date() })
      .where('id', '=', readId('file', files[1]!))
      .execute();
  expect(await readWhile(url, end)).toBe('broken');
});

test('an archive breaks off when the link of its guest is revoked, or its key, or its member is removed', async () => {
  const { job } = await delivered();
  const link = await newReviewLink(studio, job);
  expect(await readWhile(await urlFor(link.guest, job), () => revoke(studio, link))).toBe('broken');
  const key = await makeKey(service, studio.ada, ['api:read']);
  const url = await urlFor(key, job);
  const prefix = key.split('_')[1]!;
  const revoked = () =>
    service.context.db.updateTable('api_keys').set({ revoked_at: new Date() }).where('prefix', '=', prefix).execute();
  expect(await readWhile(url, revoked)).toBe('broken');
  const member = await addMember(service, studio.ada, 'member');
  const remove = () => service.context.db.deleteFrom('members').where('user_id', '=', member.userId).execute();
  expect(await readWhile(await urlFor(member.token, job), remove)).toBe('broken');
});

test('404 once its key has expired, its worker key has ended, or its operator is none any more', async () => {
  const { db } = service.context;
  const { job } = await delivered();
  const statusOf = async (url: string) => (await fetch(url, { method: 'HEAD' })).status;
  const key = await makeKey(service, studio.ada, ['api:read']);
  const ofKey = await urlFor(key, job);
  const operator = await makeOperator(service);
  const worker = await makeWorker({ ...studio, operator });
  const lease = await leasedJob(studio, worker);
  await newFile(service, studio.key, second, { job_id: lease.id });
  const atDesk = async (as: As, id: string, body: object) => {
    const { body: made } = await post(service, as, `/api/operator/v1/jobs/${id}/archive`, body);
    return reachable(service, made.download.url);
  };
  const ofWorker = await atDesk(worker, lease.id, { lease_token: lease.token });
  const ofOperator = await atDesk(operator.token, job, {});
  for (const url of [ofKey, ofWorker, ofOperator]) expect(await statusOf(url)).toBe(200);
  const prefix = key.split('_')[1]!;
  await db
    .updateTable('api_keys')
    .set({ expires_at: new Date(0) })
    .where('prefix', '=', prefix)
    .execute();
  await db.updateTable('people').set({ operator_role: null }).where('id', '=', operator.userId).execute();
  for (const url of [ofKey, ofWorker, ofOperator]) expect(await statusOf(url)).toBe(404);
});

test('an archive of a view breaks off when the operator may not view accounts any more', async () => {
  const { job } = await delivered();
  const lead = await makeOperator(service);
  await view(studio, lead.token);
  const { headers } = await service.call('GET', `/api/v1/jobs/${job}/archive`, { as: lead.token });
  const demote = () =>
    service.context.db.updateTable('people').set({ operator_role: 'maker' }).where('id', '=', lead.userId).execute();
  expect(await readWhile(reachable(service, headers.get('location') ?? ''), demote)).toBe('broken');
});

test('an archive breaks off at a file whose bytes are not those of its row', async () => {
  const { job, files } = await delivered();
  const url = await urlFor(studio.key, job);
  const { db, storage } = service.context;
  const file = await db
    .selectFrom('files')
    .selectAll()
    .where('id', '=', readId('file', files[1]!))
    .executeTakeFirstOrThrow();
  const longer = () => storage.write(file.object_key!, { contentType: 'image/png', bytes: Buffer.alloc(1_001) });
  expect(await readWhile(url, longer)).toBe('broken');
});

test('an object is closed when its reader leaves', async () => {
  const { job } = await delivered();
  using held = holdFirst();
  const sent = request(await urlFor(studio.key, job)).end();
  const [answer] = await once(sent, 'response');
  await once(answer, 'data');
  sent.on('error', () => {}).destroy();
  await expect.poll(() => held.streams[0]?.destroyed).toBe(true);
  held.letOn();
  await wait(50);
  expect(held.opened()).toBe(1);
});

test('429 rate_limit_exceeded beyond eight archives of an account at once, and again one when one has ended', async () => {
  const { job } = await delivered();
  using held = holdFirst();
  const url = await urlFor(studio.key, job);
  const { rates } = service.context;
  const ends = Array.from({ length: 7 }, () => rates.inFlight.begin(`archives key ${studio.ada.accountId}`, 8));
  const first = await fetch(url);
  const refused = await fetch(url);
  expect([refused.status, (await refused.json()).error.code]).toEqual([429, 'rate_limit_exceeded']);
  expect([refused.headers.get('retry-after'), refused.headers.get('content-disposition')]).toEqual(['30', null]);
  held.letOn();
  await bytesOf(first);
  await expect.poll(async () => (await fetch(url)).status).toBe(200);
  for (const end of ends) end();
});

test('503 service_unavailable beyond 64 archives at once', async () => {
  const { job } = await delivered();
  const url = await urlFor(studio.key, job);
  const ends = Array.from({ length: 64 }, () => service.context.rates.inFlight.begin('archives', 64));
  const refused = await fetch(url);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  for (const end of ends) end();
  expect((await bytesOf(await fetch(url))).length).toBeGreaterThan(201_000);
});

/** What sends archives with other deadlines. */
async function openApp(deadlines: object) {
  const app = Fastify({ routerOptions: { maxParamLength: 500 } });
  await app.register(archiveRoute({ ...service.context, ...deadlines }));
  return { origin: await app.listen({ host: '127.0.0.1', port: 0 }), close: () => app.close() };
}

test('a reader that takes nothing is cut off', async () => {
  const { job } = await delivered();
  using held = holdFirst();
  const { origin, close } = await openApp({ silence: 300 });
  const answer = await fetch((await urlFor(studio.key, job)).replace(service.url, origin));
  await expect(bytesOf(answer)).rejects.toThrow();
  await expect.poll(() => held.streams[0]?.destroyed).toBe(true);
  held.letOn();
  await close();
});

test('an archive breaks off soon after its link is revoked, also within a file', async () => {
  const { job } = await delivered();
  using held = holdFirst();
  const { origin, close } = await openApp({ recheck: 50, silence: 600_000 });
  const link = await newReviewLink(studio, job);
  const answer = await fetch((await urlFor(link.guest, job)).replace(service.url, origin));
  await wait(300);
  expect(held.streams[0]?.destroyed).toBe(false);
  await revoke(studio, link);
  await expect(bytesOf(answer)).rejects.toThrow();
  held.letOn();
  await close();
});

test('403 signed_url_invalid: another job, round, holder or name than was signed, or too late', async () => {
  const { job } = await delivered();
  const url = await urlFor(studio.key, job);
  const code = async (changed: string) => (await (await fetch(changed)).json()).error.code;
  for (const changed of [
    url.replace('.all?', '.0?'),
    url.replace('/key.', '/member.'),
    url.replace('.zip', '.exe'),
    url.replace(/expires=\d+/, 'expires=9999999999'),
    url.replace(/signature=[^&]+/, 'signature=x'),
  ])
    expect(await code(changed)).toBe('signed_url_invalid');
});

test('200 to HEAD: the headers of the GET, of archives and files, and nothing is opened', async () => {
  const { job } = await delivered();
  const url = await urlFor(studio.key, job);
  using held = holdFirst();
  const head = await fetch(url, { method: 'HEAD' });
  expect(held.opened()).toBe(0);
  held.letOn();
  const whole = await fetch(url);
  for (const name of ['content-length', 'content-type', 'content-disposition', 'cache-control'])
    expect(head.headers.get(name)).toBe(whole.headers.get(name));
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  });
  expect([head.status, Number(head.headers.get('content-length'))]).toEqual([200, (await bytesOf(whole)).length]);
  const { id } = await newFile(service, studio.key, second);
  const { body } = await post(service, studio.key, `/api/v1/files/${id}/download`);
  const file = await fetch(reachable(service, body.download.url), { method: 'HEAD' });
  expect([file.status, file.headers.get('content-length'), await file.text()]).toEqual([200, '1000', '']);
});
