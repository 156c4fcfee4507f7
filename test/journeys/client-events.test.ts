import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { Atelier, verifyWebhook } from '../../client/atelier.ts';
import { newJob } from '../support/jobs.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../support/webhooks.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

test('events follow from now on, go on from a seq, and end with their signal', async () => {
  const atelier = new Atelier({ url: studio.service.url, token: studio.key });
  const ended = new AbortController();
  const events = atelier.events({ signal: ended.signal });
  const first = events.next();
  await new Promise((done) => setTimeout(done, 500));
  const id = await newJob(studio.service, studio.key);
  const { value } = await first;
  expect(value).toMatchObject({ type: 'job.created', job: { id } });
  const again = await atelier.events({ after: value!.seq - 1 }).next();
  expect(again.value).toEqual(value);
  const waiting = events.next();
  ended.abort(new Error('enough'));
  expect(await waiting).toMatchObject({ done: true });
});

test('verifyWebhook takes what the service and the reference library sign, and nothing else', async () => {
  const { secret } = await newEndpoint(studio);
  const id = await newJob(studio.service, studio.key);
  await vi.waitFor(() => expect(studio.receiver.received).toHaveLength(1), { timeout: 10_000 });
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
  for (const [given, body, key] of bad) await expect(verifyWebhook(given, body, key)).rejects.toThrow();
});
