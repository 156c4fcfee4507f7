import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { type AccountEvent, Atelier, type EventOptions, verifyWebhook, WebhookError } from '../../client/atelier.ts';
import { freePort } from '../faults/process.ts';
import { followEvents } from '../support/event-stream.ts';
import { createService } from '../support/harness.ts';
import { makeMoves, newJob, unknownJob } from '../support/jobs.ts';
import { makeKey } from '../support/people.ts';
import { createProxy } from '../support/proxy.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../support/webhooks.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

test('events follow from now on, go on from a seq, and end with their signal', async () => {
  const atelier = new Atelier({ url: studio.service.url, token: studio.key });
  const ended = new AbortController();
  const events = atelier.events({ signal: ended.signal });
  const first = events.next();
  await expect.poll(() => studio.service.context.streams.callers().length).toBe(1);
  const id = await newJob(studio.service, studio.key);
  const { value } = await first;
  expect(value).toMatchObject({ type: 'job.created', job: { id } });
  const again = await atelier.events({ after: value!.seq - 1 }).next();
  expect(again.value).toEqual(value);
  const waiting = events.next();
  ended.abort(new Error('enough'));
  expect(await waiting).toMatchObject({ done: true });
});

const idsOf = (events: AccountEvent[]) => events.map(({ job }) => job?.id);

/** Collects what is followed, until it is told to stop. */
function collect(atelier: Atelier, options: EventOptions = {}) {
  const [events, ended]: [AccountEvent[], AbortController] = [[], new AbortController()];
  const done = (async () => {
    for await (const event of atelier.events({ ...options, signal: ended.signal })) events.push(event);
  })();
  return { events, done, stop: () => (ended.abort(), done) };
}

const latest = async () => (await studio.service.call('GET', '/api/v1/events?limit=1', { as: studio.key })).body.latest;
const within = { timeout: 60_000 };

/** Requests that this client sent, by path. */
function counting(url: string, token: string) {
  const paths: string[] = [];
  const send: typeof fetch = (input, init) => {
    paths.push(new URL(input instanceof Request ? input.url : String(input)).pathname);
    return fetch(input, init);
  };
  return { atelier: new Atelier({ url, token, fetch: send }), paths };
}

test('a connection that is cut again and again: every event comes once, in order, by the stream', async () => {
  const proxy = await createProxy(studio.service.url);
  const { atelier, paths } = counting(proxy.url, studio.key);
  const following = collect(atelier, { after: await latest() });
  const made: string[] = [];
  for (let round = 0; round < 4; round++) {
    made.push(await newJob(studio.service, studio.key));
    if (round < 3) proxy.cut();
    made.push(await newJob(studio.service, studio.key));
    await vi.waitFor(() => expect(following.events).toHaveLength(made.length), within);
  }
  expect(idsOf(following.events)).toEqual(made);
  expect(new Set(paths)).toEqual(new Set(['/api/v1/events/stream']));
  expect(paths.length).toBeGreaterThanOrEqual(4);
  await following.stop();
  await proxy.close();
});

test('a service that restarts: events committed during the restart come, and nothing comes twice', async () => {
  const port = String(await freePort());
  const open = () => createService({ PORT: port }, { databaseUrl: studio.service.databaseUrl });
  let service = await open();
  const following = collect(new Atelier({ url: service.url, token: studio.key }), { after: await latest() });
  const made = [await newJob(studio.service, studio.key)];
  await vi.waitFor(() => expect(following.events).toHaveLength(1), within);
  await service.close();
  made.push(await newJob(studio.service, studio.key));
  service = await open();
  made.push(await newJob(studio.service, studio.key));
  await vi.waitFor(() => expect(following.events).toHaveLength(3), within);
  expect(idsOf(following.events)).toEqual(made);
  await following.stop();
  await service.close();
});

test('bye: it connects again and goes on', async () => {
  const { atelier, paths } = counting(studio.service.url, studio.key);
  const following = collect(atelier, { after: await latest() });
  const made = [await newJob(studio.service, studio.key)];
  await vi.waitFor(() => expect(following.events).toHaveLength(1), within);
  studio.service.context.streams.end(() => true);
  made.push(await newJob(studio.service, studio.key));
  await vi.waitFor(() => expect(following.events).toHaveLength(2), within);
  expect([idsOf(following.events), paths]).toEqual([made, Array(2).fill('/api/v1/events/stream')]);
  await following.stop();
});

test('resync: a cursor that is no place in the log is thrown as cursor_expired, by stream and by poll', async () => {
  const atelier = new Atelier({ url: studio.service.url, token: studio.key });
  const after = (await latest()) + 1_000;
  const thrown = { status: 410, code: 'cursor_expired', action: expect.stringContaining('List your jobs') };
  await expect(collect(atelier, { after }).done).rejects.toMatchObject(thrown);
  const jobId = await newJob(studio.service, studio.key);
  await expect(collect(atelier, { after, jobId }).done).rejects.toMatchObject(thrown);
});

test('a key that is revoked ends it with unauthenticated', async () => {
  const key = await makeKey(studio.service, studio.ada);
  const following = collect(new Atelier({ url: studio.service.url, token: key }), { after: await latest() });
  const ended = following.done.catch((error: unknown) => error);
  const { body } = await studio.service.call('GET', '/api/v1/api-keys', { as: studio.ada.token });
  await studio.service.call('DELETE', `/api/v1/api-keys/${body.api_keys[0].id}`, { as: studio.ada.token });
  expect(await ended).toMatchObject({ status: 401, code: 'unauthenticated' });
});

test('long polls where no further stream is allowed', async () => {
  const key = await makeKey(studio.service, studio.ada);
  const open = await Promise.all(Array.from({ length: 5 }, () => followEvents(studio.service, key)));
  const { atelier, paths } = counting(studio.service.url, key);
  const following = collect(atelier, { after: await latest() });
  await vi.waitFor(() => expect(paths).toContain('/api/v1/events'), within);
  const id = await newJob(studio.service, studio.key);
  await vi.waitFor(() => expect(idsOf(following.events)).toContain(id), within);
  expect(paths.filter((path) => path.endsWith('/stream'))).toHaveLength(1);
  await following.stop();
  await Promise.all(open.map((stream) => stream.close()));
});

test('long polls behind a proxy that lets no stream through', async () => {
  const proxy = await createProxy(studio.service.url);
  proxy.holdStreams();
  const { atelier, paths } = counting(proxy.url, studio.key);
  const following = collect(atelier, { after: await latest() });
  const id = await newJob(studio.service, studio.key);
  await vi.waitFor(() => expect(idsOf(following.events)).toEqual([id]), { timeout: 60_000 });
  expect(paths[1]).toBe('/api/v1/events');
  await following.stop();
  await proxy.close();
});

test('without a seq: what happens before a stream is known not to come through is not lost', async () => {
  const proxy = await createProxy(studio.service.url);
  proxy.holdStreams();
  const { atelier, paths } = counting(proxy.url, studio.key);
  const following = collect(atelier);
  await vi.waitFor(() => expect(paths.at(-1)).toBe('/api/v1/events/stream'), within);
  const id = await newJob(studio.service, studio.key);
  await vi.waitFor(() => expect(idsOf(following.events)).toEqual([id]), { timeout: 60_000 });
  await following.stop();
  await proxy.close();
});

test('streamEvents gives what the entries of one stream hold', async () => {
  const { stream } = await new Atelier({ url: studio.service.url, token: studio.key }).streamEvents();
  expect((await stream.next()).value).toEqual({ latest: expect.any(Number) });
  const id = await newJob(studio.service, studio.key);
  expect((await stream.next()).value).toMatchObject({ job: { id } });
  await stream.return();
});

test('without a seq: a service that cannot be reached, and a job that is none, are errors at the beginning', async () => {
  const port = await freePort();
  const nobody = new Atelier({ url: `http://127.0.0.1:${port}`, retries: 0 });
  await expect(collect(nobody).done).rejects.toMatchObject({ code: 'unreachable' });
  const atelier = new Atelier({ url: studio.service.url, token: studio.key });
  await expect(collect(atelier, { jobId: unknownJob }).done).rejects.toMatchObject({ code: 'job_not_found' });
  expect(await atelier.events({ signal: AbortSignal.abort() }).next()).toMatchObject({ done: true });
});

test('the events of one job alone, with its past, and waitForJob ends with what it waits for', async () => {
  const atelier = new Atelier({ url: studio.service.url, token: studio.key });
  const [one, other] = [await newJob(studio.service, studio.key), await newJob(studio.service, studio.key)];
  const following = collect(atelier, { after: 0, jobId: one });
  const { atelier: waits, paths } = counting(studio.service.url, studio.key);
  const waiting = waits.waitForJob(one);
  await makeMoves(studio, other, 'accept', 'start', 'submit', 'pass');
  await makeMoves(studio, one, 'accept', 'start');
  await new Promise((done) => setTimeout(done, 1_000));
  expect(paths.filter((path) => path.endsWith(one))).toHaveLength(1); // it does not ask again and again
  await makeMoves(studio, one, 'submit', 'pass');
  expect((await waiting).job).toMatchObject({ id: one, status: 'ready_for_customer_review' });
  const types = ['created', 'accepted', 'started', 'submitted', 'ready_for_customer_review'];
  await vi.waitFor(() => expect(following.events.map(({ type }) => type)).toEqual(types.map((type) => `job.${type}`)), {
    timeout: 30_000,
  });
  await following.stop();
  await expect(waits.waitForJob(other, { until: ['running'], signal: AbortSignal.timeout(300) })).rejects.toThrow();
});

test('verifyWebhook takes what the service and the reference library sign, and nothing else', async () => {
  const { secret } = await newEndpoint(studio);
  const id = await newJob(studio.service, studio.key);
  await vi.waitFor(() => expect(studio.receiver.received).toHaveLength(1), { timeout: 30_000 });
  const { headers, text } = studio.receiver.received[0]!;
  expect(await verifyWebhook(headers, text, ['whsec_b3RoZXI=', secret])).toMatchObject({ job: { id } });
  const at = new Date();
  const signed = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)) };
  const signature = new Webhook(secret).sign('evt_1', at, text);
  expect(await verifyWebhook(new Headers({ ...signed, 'webhook-signature': signature }), text, secret)).toBeDefined();
  const old = { ...signed, 'webhook-timestamp': String(Math.floor(at.getTime() / 1000) - 400) };
  const bad: [Record<string, string>, string, string][] = [
    [{ ...signed, 'webhook-signature': signature }, `${text} `, secret],
    [{ ...signed, 'webhook-signature': signature }, text, 'whsec_b3RoZXI='],
    [{ ...signed, 'webhook-signature': 'v1,short v1a,x' }, text, secret],
    [
      { ...old, 'webhook-signature': new Webhook(secret).sign('evt_1', new Date(at.getTime() - 400_000), text) },
      text,
      secret,
    ],
    [{}, text, secret],
  ];
  for (const [given, body, key] of bad)
    await expect(verifyWebhook(given, body, key)).rejects.toBeInstanceOf(WebhookError);

  const bytes = Buffer.from(text); // as Express gives it with `express.raw()`
  expect(await verifyWebhook(headers, bytes, secret)).toMatchObject({ job: { id } });
  expect(await verifyWebhook(headers, new Uint8Array(bytes), secret)).toMatchObject({ job: { id } });
  const [late, lateText] = bad[3]!;
  expect(await verifyWebhook(late, lateText, secret, { toleranceSeconds: 500 })).toMatchObject({ job: { id } });
  await expect(verifyWebhook(late, lateText, secret)).rejects.toMatchObject({ name: 'WebhookError', reason: 'time' });
  await expect(verifyWebhook(headers, text, 'whsec_b3RoZXI=')).rejects.toMatchObject({ reason: 'signature' });
  for (const wrong of ['', 'whsec_', 'whsec_?', 'wrong key'])
    await expect(verifyWebhook(headers, text, wrong)).rejects.toMatchObject({ reason: 'secret' });
});

test('verifyWebhook and the reference library say the same to any list of signatures and any time', async () => {
  const [mine, other] = ['whsec_bWluZQ==', 'whsec_b3RoZXI='];
  const text = JSON.stringify({ type: 'job.created', data: { seq: 1 } });
  const kinds = ['mine', 'other', 'v1a', 'v2', 'cut', 'nothing'] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...kinds), { maxLength: 4 }),
      fc.constantFrom(-900, -310, -290, 0, 290, 310, 900),
      fc.constantFrom(text, `${text}\n`, '{}'),
      async (listed, skew, body) => {
        const at = new Date(Date.now() + skew * 1000);
        const by = (secret: string) => new Webhook(secret).sign('evt_1', at, text);
        const signatures = {
          mine: by(mine),
          other: by(other),
          v1a: by(mine).replace('v1,', 'v1a,'),
          v2: by(mine).replace('v1,', 'v2,'),
          cut: by(mine).slice(0, -4),
          nothing: '',
        };
        const headers = {
          'webhook-id': 'evt_1',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': listed.map((kind) => signatures[kind]).join(' '),
        };
        let expected = true;
        try {
          new Webhook(mine).verify(body, headers);
        } catch {
          expected = false;
        }
        const taken = await verifyWebhook(headers, body, mine).then(
          () => true,
          () => false,
        );
        expect(taken).toBe(expected);
      },
    ),
    { numRuns: 300 },
  );
});
