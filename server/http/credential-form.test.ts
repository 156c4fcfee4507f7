import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUploadPage } from '../../test/support/files.ts';
import { createJob, createStudio, draft, newJobIn, type Studio } from '../../test/support/jobs.ts';
import { call, connect } from '../../test/support/mcp.ts';
import { newReviewLink } from '../../test/support/review-links.ts';
import { makeWorker } from '../../test/support/workers.ts';
import { createApp } from '../app.ts';
import { mintKey } from '../keys/key-finder.ts';
import { createLog } from '../lib/log.ts';

let studio: Studio;
let app: FastifyInstance;
let written = '';
// Of its own: it closes an app of the service.
beforeAll(async () => {
  studio = await createStudio();
  const log = createLog('trace', { write: (line) => void (written += line) });
  app = await createApp({ ...studio.service.context, log });
});
afterAll(async () => {
  await app.close();
  await studio.service.close();
});

const letters = (count: number) =>
  Array.from(randomBytes(count), (byte) => String.fromCharCode(65 + (byte % 26) + (byte > 127 ? 32 : 0))).join('');

/** One of each kind that fits into the header. */
async function credentials(): Promise<string[]> {
  const { service, key } = studio;
  const job = await newJobIn(studio, 'ready_for_customer_review');
  const link = await newReviewLink(studio, job);
  const page = await newUploadPage(service, key);
  return [
    key,
    await makeWorker(studio),
    link.token,
    mintKey('atlp').plaintext,
    page.token,
    `ato_${letters(32)}`,
    `atf_${letters(32)}`,
    `key.${mintKey('mylead').plaintext}`,
  ];
}

test('a request id that has the form of a credential is replaced: in answer, error, event and log', async () => {
  for (const secret of await credentials()) {
    written = '';
    const headers = { 'x-request-id': secret, authorization: `Bearer ${studio.key}` };
    const refused = await app.inject({ method: 'GET', url: '/api/v1/jobs/x', headers });
    const made = await app.inject({ method: 'POST', url: '/api/v1/jobs', headers, payload: draft });
    expect(made.statusCode).toBe(201);
    for (const answer of [refused, made]) expect(answer.headers['x-request-id']).toMatch(/^req_\w{26}$/);
    expect(refused.json().error.request_id).toBe(refused.headers['x-request-id']);
    const path = `/api/v1/jobs/${made.json().job.id}`;
    const { body } = await studio.service.call('GET', path, { as: studio.key });
    expect(body.events[0].request_id).toBe(made.headers['x-request-id']);
    expect(written).toContain('answered');
    expect(written + refused.body + made.body).not.toContain(secret);
    await app.inject({ method: 'POST', url: `${path}/cancel`, headers });
  }
});

test.each([
  '3f2504e0-4f89-11d3-9a0c-0305e82c3301',
  '0af7651916cd43dd8448eb211c80319c',
  'web_20261129_order.7',
  'job-1',
])('the request id %s is taken', async (mine) => {
  const answer = await app.inject({ method: 'GET', url: '/api/v1/catalog', headers: { 'x-request-id': mine } });
  expect(answer.headers['x-request-id']).toBe(mine);
});

test('of a credential as Idempotency-Key only the hash is stored, and a repeat is the same job', async () => {
  const { service, key, ada } = studio;
  const made = await createJob(service, key, {}, key);
  const again = await createJob(service, key, {}, key);
  expect([made.status, again.status, again.body.job.id]).toEqual([201, 200, made.body.job.id]);
  const client = await connect(service, key);
  const order = { ...draft, idempotency_key: ada.token };
  const jobs = [await call(client, 'create_job', order), await call(client, 'create_job', order)];
  expect(jobs[1]?.body.job.id).toBe(jobs[0]?.body.job.id);
  await client.close();
  const keys = await service.context.db.selectFrom('idempotency_keys').select('key').execute();
  expect(keys.filter(({ key: stored }) => stored.startsWith('sha256:'))).toHaveLength(2);
  for (const secret of [key, ada.token]) expect(JSON.stringify(keys)).not.toContain(secret);
});
