import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import { ask, createWorld, said, titled, type World } from '../support/every-endpoint.ts';
import { createJob, draft, newJobIn, post, tryMove } from '../support/jobs.ts';
import { call, connect } from '../support/mcp.ts';
import { showId } from '../../server/lib/id.ts';
import { sweep } from '../support/sweep.ts';
import { writes } from '../support/swept.ts';

/** Changes that a suspended account may still make: it approves, takes access away, and ends what it has. */
const allowed = [
  'approveJob',
  'cancelInvitation',
  'closeAccount',
  'deleteApiKey',
  'deleteWebhookEndpoint',
  'createReviewArchive',
  'downloadReviewFile',
  'endConnectedApp',
  'removeMember',
  'revokeReviewLink',
  'revokeShowLink',
  'startPortal',
];
/** POST and PUT that only read, or mark what a person has read. */
const readsOnly = ['preflightJob', 'createDownload', 'createArchive', 'createLibraryArchive', 'readMessages'];

const ofAccount = (endpoint: Endpoint) => ['caller', 'manager', 'guest'].includes(endpoint.auth);
const refused = writes.filter(
  (endpoint) => ofAccount(endpoint) && ![...allowed, ...readsOnly].includes(endpoint.operationId),
);
const open = endpoints.filter((endpoint) => !refused.includes(endpoint) && endpoint.operationId !== 'receiveWebhook');

let world: World;
let reviewable: string;
beforeAll(async () => {
  world = await createWorld();
  reviewable = await newJobIn(world, 'ready_for_customer_review');
  const path = `/api/operator/v1/accounts/${showId('acct', world.ada.accountId)}/suspend`;
  expect((await post(world.service, world.operator.token, path, { reason: 'Charged back.' })).status).toBe(200);
});
afterAll(() => world.service.close());

describe('403 account_suspended for every change of a suspended account', () => {
  sweep('each', titled(refused), async (endpoint) => {
    expect(said(await ask(world, endpoint))).toBe('403 account_suspended');
  });
});

describe('never account_suspended for reading, ending, approving, the person and the desk', () => {
  sweep('each', titled(open), async (endpoint) => {
    // Signing out would end the session that the other cases use.
    const as = endpoint.operationId === 'signOut' ? { as: null } : {};
    expect(said(await ask(world, endpoint, { body: {}, ...as }))).not.toContain('account_suspended');
  });
});

test('no 403 for another account during the suspension', async () => {
  expect(said(await createJob(world.service, world.eveKey))).toBe('201');
});

test('200: a delivery is approved by key', async () => {
  expect(said(await tryMove(world, reviewable, 'approve'))).toBe('200');
});

test('403 account_suspended: a tool that writes; tools that read answer', async () => {
  const client = await connect(world.service, world.key);
  const created = await call(client, 'create_job', { ...draft, idempotency_key: 'one' });
  expect([created.isError, created.body.code]).toEqual([true, 'account_suspended']);
  const { body } = await call(client, 'get_account');
  expect(body.account.suspended_since).toEqual(expect.any(String));
  await client.close();
});
