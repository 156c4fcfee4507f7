import { randomUUID } from 'node:crypto';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { seconds, sendEvent } from '../../test/support/plans.ts';
import { sharedService, type Service } from '../../test/support/harness.ts';
import { sign } from './signature.ts';

let service: Service;
const path = '/api/stripe/webhook';
beforeAll(async () => {
  service = await sharedService();
});

const event = () => JSON.stringify({ id: `evt_${randomUUID()}`, type: 'charge.succeeded', livemode: false });
const signature = (body: string) => sign('whsec_test', seconds(Date.now()), body);

/** The status of a post that fetch cannot make: repeated headers or no content type. */
const post = (headers: OutgoingHttpHeaders, parts: string[]) =>
  new Promise<number | undefined>((resolve, reject) => {
    const sending = request(service.url + path, { method: 'POST', headers }, (answer) =>
      resolve(answer.resume().statusCode),
    );
    sending.on('error', reject);
    for (const part of parts) sending.write(part);
    sending.end();
  });

test.each(['application/json', 'application/json; charset=utf-8', 'text/plain', 'application/octet-stream'])(
  '200: the bytes count, not the content type %s',
  async (type) => {
    const raw = event();
    const headers = { 'content-type': type, 'stripe-signature': signature(raw) };
    expect((await service.call('POST', path, { raw, headers })).status).toBe(200);
  },
);

test('200: in chunks, without a content type', async () => {
  const raw = event();
  expect(await post({ 'stripe-signature': signature(raw) }, raw.match(/.{1,20}/g) ?? [])).toBe(200);
});

test('400: the signature header twice', async () => {
  const raw = event();
  const header = signature(raw);
  expect(await post({ 'stripe-signature': header }, [raw])).toBe(200);
  expect(await post({ 'stripe-signature': [header, header] }, [raw])).toBe(400);
});

test('400: no body at all', async () => {
  expect(await post({ 'content-length': '0', 'stripe-signature': signature('') }, [])).toBe(400);
  expect(await post({ 'content-length': '0' }, [])).toBe(400);
});

test('413 body_too_large', async () => {
  const { status, body } = await sendEvent(service, ' '.repeat(1024 * 1024 + 1));
  expect([status, body.error.code]).toEqual([413, 'body_too_large']);
});

test('405 method_not_allowed', async () => {
  const { status, headers } = await service.call('GET', path);
  expect([status, headers.get('allow')]).toEqual([405, 'POST']);
});

test('other routes still refuse what is not JSON', async () => {
  const headers = { 'content-type': 'text/plain' };
  expect((await service.call('POST', '/api/v1/catalog/intent-check', { raw: '{}', headers })).status).toBe(415);
});
