import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudio, type Studio } from '../../test/support/jobs.ts';
import { claim, makeWorker } from '../../test/support/workers.ts';

let studio: Studio;
// Of its own: it lists the worker keys of all operators.
beforeAll(async () => void (studio = await createStudio()));
afterAll(() => studio.service.close());

const list = (as: string) => studio.service.call('GET', '/api/operator/v1/worker-keys', { as });

test('200: metadata, newest first, with the last use', async () => {
  expect((await list(studio.operator.token)).body).toEqual({ worker_keys: [], next_cursor: null });
  const first = await makeWorker(studio);
  const second = await makeWorker(studio, ['design']);
  const prefixes = [second, first].map((key) => key.split('_')[1]);
  const { status, body } = await list(studio.operator.token);
  expect(status).toBe(200);
  expect(body.worker_keys.map(({ prefix }: { prefix: string }) => prefix)).toEqual(prefixes);
  expect(JSON.stringify(body)).not.toContain(first.split('_')[2]);

  await claim(studio, first);
  await expect
    .poll(async () => (await list(studio.operator.token)).body.worker_keys[1].last_used_at)
    .toEqual(expect.any(String));
});

test('403 role_required: a customer; credential_not_accepted: a worker', async () => {
  expect((await list(studio.ada.token)).body.error.code).toBe('role_required');
  expect((await list(await makeWorker(studio))).body.error.code).toBe('credential_not_accepted');
});

test.each(['limit=0', 'limit=101', 'cursor=x', 'page=2'])('400 invalid_request: %s', async (query) => {
  const { status, body } = await studio.service.call('GET', `/api/operator/v1/worker-keys?${query}`, {
    as: studio.operator.token,
  });
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
