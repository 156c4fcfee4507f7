import { beforeAll, expect, test } from 'vitest';
import { sharedStudio, post, readJob, type Studio } from '../../test/support/jobs.ts';
import { heartbeat, leasedJob, runOut, sweep } from '../../test/support/workers.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const path = '/api/operator/v1/worker-keys';
const make = async () => (await post(studio.service, studio.operator.token, path, { name: 'robot' })).body;
const revoke = (id: string, as = studio.operator.token) => studio.service.call('DELETE', `${path}/${id}`, { as });

test('200: the key stops at once; its job goes back when the lease has expired', async () => {
  const { worker_key, plaintext_key } = await make();
  const { id, token } = await leasedJob(studio, plaintext_key);
  const { status, body } = await revoke(worker_key.id);
  expect(status).toBe(200);
  expect(body.worker_key).toMatchObject({ id: worker_key.id, status: 'revoked', revoked_at: expect.any(String) });
  expect((await heartbeat(studio, plaintext_key, id, token)).status).toBe(401);
  await sweep(studio);
  expect((await readJob(studio.service, studio.key, id)).job.status).toBe('accepted');
  await runOut(studio, id);
  await sweep(studio);
  expect((await readJob(studio.service, studio.key, id)).job.status).toBe('queued');
});

test('200: revoking again answers the same', async () => {
  const { worker_key } = await make();
  const first = await revoke(worker_key.id);
  const second = await revoke(worker_key.id);
  expect([second.status, second.body]).toEqual([200, first.body]);
});

test('403 credential_not_accepted: a worker cannot revoke', async () => {
  const { worker_key, plaintext_key } = await make();
  expect((await revoke(worker_key.id, plaintext_key)).body.error.code).toBe('credential_not_accepted');
});
