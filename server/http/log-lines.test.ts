import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio, newJob, type Studio } from '../../test/support/jobs.ts';
import { createApp } from '../app.ts';
import { mintKey } from '../keys/key-finder.ts';
import { newId, showId } from '../lib/id.ts';
import { createLog } from '../lib/log.ts';

let studio: Studio;
let app: FastifyInstance;
let lines: Record<string, unknown>[] = [];
// Of its own: it closes an app of the service.
beforeAll(async () => {
  studio = await createStudio();
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) });
  app = await createApp({ ...studio.service.context, log });
});
afterAll(async () => {
  await app.close();
  await studio.service.close();
});

/** The lines of one request. */
async function linesOf(method: 'GET' | 'POST', url: string, key: string, payload?: object) {
  lines = [];
  const headers = {
    authorization: `Bearer ${key}`,
    accept: 'application/json, text/event-stream',
    'idempotency-key': newId(),
  };
  await app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  return lines;
}

test('a refused request has its code and the ids of its path, and an answered one has neither', async () => {
  const job = await newJob(studio.service, studio.key);
  const [early] = await linesOf('POST', `/api/v1/jobs/${job}/approve`, studio.key);
  expect(early).toMatchObject({ status: 400, code: 'invalid_request', ids: [job] });
  const [none] = await linesOf('GET', '/api/v1/nothing', studio.key);
  expect(none).toMatchObject({ route: 'no route', status: 404, code: 'not_found', ids: [] });
  const [read] = await linesOf('GET', `/api/v1/jobs/${job}`, studio.key);
  expect(read).toMatchObject({ status: 200 });
  expect(read).not.toHaveProperty('code');
  expect(read).not.toHaveProperty('ids');
});

test('of a path and a query nothing but ids is in the line', async () => {
  const secret = mintKey('atl').plaintext;
  for (const url of [`/api/v1/jobs/${secret}`, `/sandbox/portal/${secret}`, `/api/v1/jobs?cursor=${secret}`]) {
    const [line] = await linesOf('GET', url, studio.key);
    expect(Number(line?.['status'])).toBeGreaterThanOrEqual(400);
    expect(JSON.stringify(line)).not.toContain(secret.slice(0, 12));
  }
});

test('a refused tool of MCP has its code, although the answer is 200', async () => {
  const job_id = showId('job', newId());
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_job', arguments: { job_id } } };
  const seen = await linesOf('POST', '/mcp', studio.key, call);
  expect(seen).toContainEqual(expect.objectContaining({ operation: 'readJob', code: 'job_not_found', msg: 'refused' }));
});
