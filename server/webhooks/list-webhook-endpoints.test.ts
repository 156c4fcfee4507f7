import { afterAll, beforeAll, expect, test } from 'vitest';
import { showId } from '../lib/id.ts';
import { newCustomer } from '../../test/support/jobs.ts';
import { addMember, goodPassword } from '../../test/support/people.ts';
import { closeDeliveries, createDeliveries, type Deliveries, newEndpoint } from '../../test/support/webhooks.ts';

let studio: Deliveries;
beforeAll(async () => void (studio = await createDeliveries()));
afterAll(() => closeDeliveries(studio));

test('200: newest first, for members and keys too, and nothing of another account', async () => {
  const first = await newEndpoint(studio);
  const second = await newEndpoint(studio, { description: 'second' });
  const member = await addMember(studio.service, studio.ada, 'member');
  const { key } = await newCustomer(studio.service);
  for (const as of [studio.key, member.token]) {
    const { status, body } = await studio.service.call('GET', '/api/v1/webhook-endpoints', { as });
    expect(status).toBe(200);
    expect(body.webhook_endpoints.map(({ id }: { id: string }) => id)).toEqual([second.id, first.id]);
  }
  const other = await studio.service.call('GET', '/api/v1/webhook-endpoints', { as: key });
  expect(other.body.webhook_endpoints).toEqual([]);
});

test('200: an endpoint ends with its maker’s part in the account, or is taken over', async () => {
  const [left, taken] = [
    await addMember(studio.service, studio.ada, 'admin'),
    await addMember(studio.service, studio.ada, 'admin'),
  ];
  const ended = await newEndpoint(studio, {}, left.token);
  const kept = await newEndpoint(studio, {}, taken.token);
  const remove = (memberId: string, body: object) =>
    studio.service.call('DELETE', `/api/auth/members/${showId('mem', memberId)}`, { as: studio.ada, body });
  const removed = await remove(left.memberId, {});
  expect(removed.body.webhook_endpoints).toMatchObject([{ id: ended.id, disabled_reason: 'creator_left' }]);
  const demoted = await studio.service.call('PATCH', `/api/auth/members/${showId('mem', taken.memberId)}`, {
    as: studio.ada,
    body: { role: 'member', take_over: true },
  });
  expect(demoted.body.webhook_endpoints).toMatchObject([
    {
      id: kept.id,
      enabled: true,
      created_by: { kind: 'user', id: showId('user', studio.ada.userId), name: 'Ada Lovelace' },
    },
  ]);
  const { body } = await studio.service.call('GET', '/api/v1/events?types=webhook_endpoint.disabled', {
    as: studio.key,
  });
  expect(body.events.map(({ data }: { data: object }) => data)).toEqual([{ webhook_endpoint_id: ended.id }]);
});

test('200: demoting, leaving or deleting a person disables their endpoints; an owner can enable them again', async () => {
  const { service, ada } = studio;
  const makers = await Promise.all([1, 2, 3].map(() => addMember(service, ada, 'admin')));
  const endpoints = [];
  for (const { token } of makers) endpoints.push(await newEndpoint(studio, {}, token));
  const [demoted, left, deleted] = makers;
  const end = async (path: string, as: string | undefined, body: object, method = 'POST') =>
    expect((await service.call(method, path, { as: as ?? null, body })).status).toBe(200);
  await end(`/api/auth/members/${showId('mem', demoted?.memberId ?? '')}`, ada.token, { role: 'member' }, 'PATCH');
  await end(`/api/auth/accounts/${showId('acct', ada.accountId)}/leave`, left?.token, {});
  await end('/api/auth/delete', deleted?.token, { password: goodPassword });

  const { body } = await service.call('GET', '/api/v1/webhook-endpoints', { as: studio.key });
  for (const { id } of endpoints) {
    const ended = body.webhook_endpoints.find((one: { id: string }) => one.id === id);
    expect(ended).toMatchObject({ enabled: false, disabled_reason: 'creator_left' });
    const on = await service.call('PATCH', `/api/v1/webhook-endpoints/${id}`, { as: ada, body: { enabled: true } });
    expect(on.body.webhook_endpoint).toMatchObject({
      enabled: true,
      created_by: { kind: 'user', id: showId('user', ada.userId) },
    });
  }
});

test.each(['limit=0', 'limit=101', 'cursor=x', 'page=2'])('400 invalid_request: %s', async (query) => {
  const { status, body } = await studio.service.call('GET', `/api/v1/webhook-endpoints?${query}`, { as: studio.key });
  expect([status, body.error.code]).toEqual([400, 'invalid_request']);
});
