import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { said } from '../../../test/support/every-endpoint.ts';
import {
  makeMoves,
  newCustomer,
  post,
  setPlan,
  sharedStudio,
  type Studio,
  usedOf,
} from '../../../test/support/jobs.ts';
import { untilBlocked } from '../../../test/support/locks.ts';
import { addMember, closeAccount, makeOperator, type TestPerson } from '../../../test/support/people.ts';
import { accountPath, deskAccount } from '../../../test/support/quota.ts';
import { bookFaults } from '../../../test/support/seed.ts';
import { letStudioOrder, orderFor } from '../../../test/support/studio-orders.ts';
import { lockCounters } from '../../db/pool.ts';
import { showId } from '../../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const get = async (path: string, as: string) => (await studio.service.call('GET', path, { as })).body;

async function customer(tier: 'agent' | 'studio' = 'studio') {
  const { person, key } = await newCustomer(studio.service, tier);
  await letStudioOrder(studio.service, person);
  return { person, key, own: { ...studio, ada: person, key } };
}

const newsOf = async ({ token }: TestPerson) => (await get('/api/auth/notifications', token)).notifications;

describe('201', () => {
  test('the job is an order of the account: counted, told, and canceled by the customer', async () => {
    const { person, key, own } = await customer();
    const admin = await addMember(studio.service, person, 'admin');
    const member = await addMember(studio.service, person, 'member');
    const answer = await orderFor(studio, person, { wanted_by: '2999-01-15T12:00:00.000Z', reference: 'PO-7' });
    expect(said(answer)).toBe('201');
    const { id } = answer.body.job;
    expect(answer.headers.get('location')).toBe(`/api/operator/v1/jobs/${id}`);
    const by = { kind: 'operator', id: showId('user', studio.operator.userId), name: 'Operator' };
    const { job, events } = await get(`/api/v1/jobs/${id}`, key);
    expect(job).toMatchObject({ source: 'dashboard', created_by: by, plan_code: 'studio', reference: 'PO-7' });
    expect(events).toMatchObject([{ type: 'job.created', actor: 'operator', created_by: by }]);
    expect((await get('/api/v1/events', key)).events.at(-1)).toMatchObject({ actor: 'operator', created_by: by });
    expect((await get('/api/v1/jobs', key)).jobs).toMatchObject([{ id, created_by: by }]);
    for (const manager of [person, admin])
      expect(await newsOf(manager)).toContainEqual(
        expect.objectContaining({ kind: 'ordered_for_you', job_id: id, path: `/jobs/${id}` }),
      );
    expect(await newsOf(member)).toEqual([]);
    expect(await usedOf(studio.service, person)).toEqual({ studio: 1 });
    await makeMoves(own, id, 'cancel');
    expect(await usedOf(studio.service, person)).toEqual({ studio: 0 });
    expect(await bookFaults(studio.service.context.db, person.accountId)).toEqual([]);
  });

  test('a repeat with the same key orders nothing more; another body is 422 idempotency_key_conflict', async () => {
    const { person, own } = await customer();
    const first = await orderFor(studio, person, {}, 'key-1');
    await makeMoves(own, first.body.job.id, 'accept');
    const again = await orderFor(studio, person, {}, 'key-1');
    expect([again.status, again.body.job]).toMatchObject([201, { id: first.body.job.id, status: 'accepted' }]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(said(await orderFor(studio, person, { customer_title: 'Else' }, 'key-1'))).toBe(
      '422 idempotency_key_conflict',
    );
    expect(await usedOf(studio.service, person)).toEqual({ studio: 1 });
  });

  test('its operator may go: the job stays and keeps the name', async () => {
    const { person, key } = await customer();
    const lead = await makeOperator(studio.service, 'lead');
    const { body } = await orderFor({ ...studio, operator: lead }, person);
    const removed = await studio.service.call('DELETE', `/api/operator/v1/operators/${showId('user', lead.userId)}`, {
      as: studio.operator.token,
    });
    expect(said(removed)).toBe('200');
    const { job } = await get(`/api/v1/jobs/${body.job.id}`, key);
    expect(job).toMatchObject({ status: 'queued', created_by: { kind: 'operator', name: 'Operator' } });
    expect(said(await orderFor({ ...studio, operator: lead }, person))).toBe('401 unauthenticated');
  });

  test('who is removed while they order has ordered nothing', async () => {
    const { person } = await customer();
    const lead = await makeOperator(studio.service, 'lead');
    const { db } = studio.service.context;
    const ordering = await db.transaction().execute(async (removal) => {
      await sql`update people set operator_role = null where id = ${lead.userId}`.execute(removal);
      const answer = orderFor({ ...studio, operator: lead }, person);
      await untilBlocked(db);
      return { answer };
    });
    expect(said(await ordering.answer)).toBe('401 unauthenticated');
    expect(await usedOf(studio.service, person)).toEqual({ studio: 0 });
  });

  test('an order waits for the choice of the owner that came first', async () => {
    const { person } = await customer();
    const { db } = studio.service.context;
    const ordering = await db.transaction().execute(async (choice) => {
      await lockCounters(choice, person.accountId);
      const answer = orderFor(studio, person);
      await untilBlocked(db);
      await sql`update accounts set takes_studio_orders = false where id = ${person.accountId}`.execute(choice);
      return { answer };
    });
    expect(said(await ordering.answer)).toBe('403 studio_orders_off');
  });

  test('two orders for the last place: one is taken', async () => {
    const { person } = await customer();
    await setPlan(studio.service, person, 'studio', { quota: 1 });
    const both = await Promise.all([orderFor(studio, person), orderFor(studio, person)]);
    expect(both.map(said).toSorted()).toEqual(['201', '403 quota_exceeded']);
  });
});

describe('403', () => {
  test('studio_orders_off: at first, and again once the owner ends it', async () => {
    const { person } = await newCustomer(studio.service, 'studio');
    expect(said(await orderFor(studio, person))).toBe('403 studio_orders_off');
    expect((await deskAccount(studio, person)).studio_orders).toMatchObject({
      allowed: false,
      refusals: ['studio_orders_off'],
    });
    await letStudioOrder(studio.service, person);
    expect(said(await orderFor(studio, person))).toBe('201');
    const { studio_orders: orders } = await deskAccount(studio, person);
    expect(orders).toMatchObject({ allowed: true, refusals: [], plan_names: ['Studio'], unit: 'job' });
    await letStudioOrder(studio.service, person, false);
    expect(said(await orderFor(studio, person))).toBe('403 studio_orders_off');
  });

  test('account_suspended', async () => {
    const { person } = await customer();
    await post(studio.service, studio.operator.token, `${accountPath(person)}/suspend`, { reason: 'Stolen card.' });
    expect(said(await orderFor(studio, person))).toBe('403 account_suspended');
    expect((await deskAccount(studio, person)).studio_orders.refusals).toEqual(['account_suspended']);
  });

  test('entitlement_required: the plan serves API keys only', async () => {
    const { person } = await customer('agent');
    expect(said(await orderFor(studio, person))).toBe('403 entitlement_required');
    expect((await deskAccount(studio, person)).studio_orders.refusals).toEqual(['entitlement_required']);
  });

  test('quota_exceeded and concurrency_limit_exceeded, as for the customer', async () => {
    const { person } = await customer();
    await setPlan(studio.service, person, 'studio', { quota: 2, concurrency_limit: 1 });
    expect(said(await orderFor(studio, person))).toBe('201');
    expect(said(await orderFor(studio, person))).toBe('403 concurrency_limit_exceeded');
    await setPlan(studio.service, person, 'studio', { quota: 1, concurrency_limit: 5 });
    expect(said(await orderFor(studio, person))).toBe('403 quota_exceeded');
    expect(await usedOf(studio.service, person)).toEqual({ studio: 1 });
  });
});

test('404 account_not_found: unknown, malformed or closed', async () => {
  const { person } = await customer();
  await setPlan(studio.service, person, 'studio', { status: 'canceled' });
  await closeAccount(studio.service, person);
  expect(said(await orderFor(studio, person))).toBe('404 account_not_found');
  for (const id of ['acct_01jd3vsh8xe7rtx1zqbdnzc4v0', 'x'])
    expect(
      said(
        await post(studio.service, studio.operator.token, `/api/operator/v1/accounts/${id}/jobs`, {
          service_family: 'design',
          service_type: 'logo',
          customer_title: 'A',
          customer_instructions: 'B',
        }),
      ),
    ).toBe('404 account_not_found');
});

describe('422', () => {
  test('unsupported_service, unsafe_request and a wish in the past, as for the customer', async () => {
    const { person } = await customer();
    expect(said(await orderFor(studio, person, { service_type: 'none' }))).toBe('422 unsupported_service');
    expect(said(await orderFor(studio, person, { customer_instructions: 'card 4242 4242 4242 4242' }))).toBe(
      '422 unsafe_request',
    );
    expect(said(await orderFor(studio, person, { wanted_by: '2020-01-01T00:00:00Z' }))).toBe('422 invalid_request');
  });

  test('invalid_request: files and metadata are the customer’s', async () => {
    const { person } = await customer();
    for (const more of [{ file_ids: [] }, { metadata: {} }])
      expect(said(await orderFor(studio, person, more))).toBe('422 invalid_request');
  });
});
