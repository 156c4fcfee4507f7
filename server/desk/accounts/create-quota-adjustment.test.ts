import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { said } from '../../../test/support/every-endpoint.ts';
import {
  createJob,
  sharedStudio,
  makeMoves,
  newCustomer,
  newJob,
  newJobIn,
  post,
  setPlan,
  type Studio,
  usedOf,
} from '../../../test/support/jobs.ts';
import { closeAccount, makeOperator, type TestPerson } from '../../../test/support/people.ts';
import { bindCustomer, seconds, sendEvent, subscriptionEvent } from '../../../test/support/plans.ts';
import { accountPath, adjust, adjustmentFor, deskAccount, sendAdjustment } from '../../../test/support/quota.ts';
import { bookFaults } from '../../../test/support/seed.ts';
import { showId } from '../../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const get = (path: string, as: string) => studio.service.call('GET', path, { as });
const usageOf = async (key: string, query = '') => (await get(`/api/v1/usage${query}`, key)).body.usage;

/** A customer of a plan, with so many completed jobs. */
async function customerWith(completed: number, tier: 'agent' | 'studio' = 'studio') {
  const { person, key } = await newCustomer(studio.service, tier);
  const own = { ...studio, ada: person, key };
  for (let n = 0; n < completed; n++) await newJobIn(own, 'completed');
  return { person, key, own };
}

/** Whatever a test did, the books agree. */
async function expectBooks(person: TestPerson) {
  expect(await bookFaults(studio.service.context.db, person.accountId)).toEqual([]);
}

describe('201', () => {
  test('quota given back is in usage with its reason, at the desk with its author, and can be used again', async () => {
    const { person, key } = await customerWith(2);
    await setPlan(studio.service, person, 'studio', { quota: 2 });
    expect(said(await createJob(studio.service, key))).toBe('403 quota_exceeded');
    const { status, body, headers } = await adjust(studio, person, -1);
    expect([status, headers.get('location')]).toEqual([201, accountPath(person)]);
    const shown = {
      id: expect.stringMatching(/^adj_/),
      plan_code: 'studio',
      period: (await deskAccount(studio, person)).entitlements[0].period,
      quantity: -1,
      unit: 'job',
      reason: 'The second logo was late.',
      created_at: expect.any(String),
    };
    const atDesk = {
      ...shown,
      entitlement_id: expect.stringMatching(/^ent_/),
      created_by: { kind: 'user', id: showId('user', studio.operator.userId), name: 'Operator' },
    };
    expect(body.quota_adjustment).toEqual(atDesk);
    expect((await deskAccount(studio, person)).quota_adjustments).toEqual([body.quota_adjustment]);

    const usage = await usageOf(key);
    expect(usage.quota_adjustments).toEqual([shown]);
    expect(usage.totals).toEqual({ quantity: 1, quota: 2, remaining: 1, unit: 'job' });
    expect(usage.summaries.by_entitlement).toEqual([{ key: 'studio', quantity: 1, quota: 2, remaining: 1 }]);
    expect(usage.summaries.by_service_family).toMatchObject([{ quantity: 2 }]);
    expect(usage.buckets.map(({ quantity }: { quantity: number }) => quantity)).toEqual([1]);
    expect(said(await createJob(studio.service, key))).toBe('201');
    await expectBooks(person);
  });

  test('charged quota is used like that of a job', async () => {
    const { person, key } = await customerWith(0);
    await setPlan(studio.service, person, 'studio', { quota: 3 });
    expect(said(await adjust(studio, person, 3))).toBe('201');
    expect((await usageOf(key)).totals).toEqual({ quantity: 3, quota: 3, remaining: 0, unit: 'job' });
    expect(said(await createJob(studio.service, key))).toBe('403 quota_exceeded');
    expect(said(await adjust(studio, person, -3))).toBe('201');
    expect(await usedOf(studio.service, person)).toEqual({ studio: 0 });
    await expectBooks(person);
  });

  test('the account’s log and both audit logs tell it at once, the studio’s with the reason', async () => {
    const { person, key } = await customerWith(1);
    const { body } = await adjust(studio, person, -1);
    const data = { plan_code: 'studio', quota_adjustment_id: body.quota_adjustment.id, quantity: -1 };
    const { body: log } = await get('/api/v1/events?types=quota.adjusted', key);
    expect(log.events).toMatchObject([{ actor: 'operator', job: null, data }]);
    const path = `/api/operator/v1/audit?account_id=${showId('acct', person.accountId)}&action=quota.adjusted`;
    const audit = (await get(path, studio.operator.token)).body.audit_entries;
    const created_by = { kind: 'user', id: showId('user', studio.operator.userId), name: 'Operator' };
    expect(audit).toMatchObject([{ created_by, subject: 'studio', details: data }]);
    const own = (await get('/api/v1/audit?action=quota.adjusted', person.token)).body.audit_entries;
    expect(own).toMatchObject([{ actor: 'operator', created_by: null, details: data }]);
    expect(JSON.stringify([log, own])).not.toContain('second logo');
    expect(audit[0].details.reason).toBe('The second logo was late.');
  });

  test('once with the same Idempotency-Key', async () => {
    const { person } = await customerWith(2);
    const body = await adjustmentFor(studio, person, -1);
    const first = await sendAdjustment(studio, studio.service, person, body, 'adjust-once');
    const second = await sendAdjustment(studio, studio.service, person, body, 'adjust-once');
    expect([second.status, second.headers.get('idempotent-replayed'), second.body]).toEqual([201, 'true', first.body]);
    expect(await usedOf(studio.service, person)).toEqual({ studio: 1 });
  });

  test('a suspended account, and an overdue plan until its period ends', async () => {
    const { person } = await customerWith(1);
    await post(studio.service, studio.operator.token, `${accountPath(person)}/suspend`, { reason: 'Charged back.' });
    await setPlan(studio.service, person, 'studio', { status: 'past_due' });
    expect(said(await adjust(studio, person, -1))).toBe('201');
  });

  test('in one range of time and not in another; a job has no adjustments', async () => {
    const { person, key } = await customerWith(1);
    await adjust(studio, person, -1);
    const [from, to] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
    const { created_at: at } = (await usageOf(key)).quota_adjustments[0];
    const later = new Date(Date.parse(at) + 1).toISOString();
    for (const [query, rows] of [
      [`?period_start=${from}`, 1],
      [`?period_start=${from}&period_end=${to}`, 0],
      [`?period_start=${at}&period_end=${later}`, 1],
      [`?period_start=${from}&period_end=${at}`, 0],
      [`?job_id=${(await usageOf(key)).recent_events[0].job_id}`, 0],
    ] as const)
      expect((await usageOf(key, query)).quota_adjustments, query).toHaveLength(rows);
    const { totals, buckets } = await usageOf(key, `?period_start=${from}`);
    expect([totals.quantity, buckets[0].quantity]).toEqual([0, 0]);
  });

  test('a plan that returns to an earlier period counts what was adjusted in it', async () => {
    const { service } = studio;
    const { person, key } = await newCustomer(service);
    const customer = await bindCustomer(service, person);
    const names = { accountId: person.accountId, customer, subscription: `sub_${crypto.randomUUID()}` };
    const now = seconds(Date.now());
    const renew = async (start: number, created: number) => {
      const object = { current_period_start: start, current_period_end: now + 20 * 86_400 };
      const sent = await sendEvent(service, subscriptionEvent(service, names, 'studio', { object, created }));
      expect(sent.body.status).toBe('processed');
    };
    await renew(now - 86_400, now - 100);
    await newJob(service, key);
    await adjust(studio, person, 4);
    await renew(now - 3_600, now - 90);
    expect(await usedOf(service, person)).toEqual({ studio: 0 });
    expect((await usageOf(key)).quota_adjustments).toEqual([]);
    await renew(now - 86_400, now - 80);
    expect(await usedOf(service, person)).toEqual({ studio: 5 });
    await expectBooks(person);
  });
});

describe('409 adjustment_too_large, which says by how much at most', () => {
  const refused = async (person: TestPerson, quantity: number) => {
    const answer = await adjust(studio, person, quantity);
    expect(said(answer)).toBe('409 adjustment_too_large');
    const { location, maximum, message } = answer.body.error.details[0];
    expect([location, message]).toEqual(['/quantity', answer.body.error.message]);
    return maximum;
  };

  test('more is given back than ended jobs were charged: not of running, canceled or earlier ones', async () => {
    const { person, own } = await customerWith(2);
    const running = await newJobIn(own, 'running');
    await newJobIn(own, 'canceled');
    expect(await refused(person, -3)).toBe(2);
    expect(said(await adjust(studio, person, -1))).toBe('201');
    expect(await refused(person, -2)).toBe(1);
    await makeMoves(own, running, 'submit', 'pass', 'approve');
    expect(await refused(person, -3)).toBe(2);
    await setPlan(studio.service, person, 'studio', { renewed: true });
    expect(await refused(person, -1)).toBe(0);
    await expectBooks(person);
  });

  test('more is charged than remains, also above a reduced quota', async () => {
    const { person } = await customerWith(2);
    await setPlan(studio.service, person, 'studio', { quota: 4 });
    expect(await refused(person, 3)).toBe(2);
    await setPlan(studio.service, person, 'studio', { quota: 1 });
    expect(await refused(person, 1)).toBe(0);
  });

  test('the desk shows the same bounds before', async () => {
    const { person } = await customerWith(1);
    await setPlan(studio.service, person, 'studio', { quota: 4 });
    expect((await deskAccount(studio, person)).entitlements[0].adjustable).toEqual({ give_back: 1, charge: 3 });
  });
});

test('409 period_ended: the period was renewed since the operator saw it', async () => {
  const { person } = await customerWith(1);
  const body = await adjustmentFor(studio, person, -1);
  await setPlan(studio.service, person, 'studio', { renewed: true });
  expect(said(await sendAdjustment(studio, studio.service, person, body))).toBe('409 period_ended');
});

describe('409 entitlement_inactive', () => {
  test.each([
    { status: 'paused' },
    { status: 'canceled' },
    { endsIn: -100 },
    { status: 'past_due', endsIn: -1 },
  ] as const)('a plan that gives no access: %j', async (change) => {
    const { person } = await customerWith(1);
    await setPlan(studio.service, person, 'studio', change);
    expect((await deskAccount(studio, person)).entitlements[0].adjustable).toBeNull();
    expect(said(await adjust(studio, person, -1))).toBe('409 entitlement_inactive');
  });

  test('the plan of a closed account, whose reasons are erased', async () => {
    const { person } = await customerWith(2);
    await adjust(studio, person, -1);
    const body = await adjustmentFor(studio, person, -1);
    await closeAccount(studio.service, person);
    expect(said(await sendAdjustment(studio, studio.service, person, body))).toBe('409 entitlement_inactive');
    const { quota_adjustments } = await deskAccount(studio, person);
    expect(quota_adjustments).toMatchObject([{ quantity: -1, reason: 'Deleted' }]);
  });
});

test('404 entitlement_not_found: of another account, or nobody’s', async () => {
  const { person } = await customerWith(0);
  const body = await adjustmentFor(studio, person, 1);
  const other = (await adjustmentFor(studio, studio.ada, 1)).entitlement_id;
  for (const entitlement_id of [other, 'ent_01jd3vsh8xe7rtx1zqbdnzc4v0', 'x'])
    expect(said(await sendAdjustment(studio, studio.service, person, { ...body, entitlement_id }))).toBe(
      '404 entitlement_not_found',
    );
});

test.each(['maker', 'reviewer', 'lead'] as const)('403 role_required: a %s adjusts quota', async (role) => {
  const operator = await makeOperator(studio.service, role);
  expect(said(await adjust({ ...studio, operator }, studio.ada, 1))).toBe('403 role_required');
});

test.each([
  { quantity: 0 },
  { quantity: 1.5 },
  { quantity: '1' },
  { quantity: 100_001 },
  { reason: '' },
  { reason: ' ' },
  { reason: 'x'.repeat(501) },
  { period_start: 'now' },
  { note: 'x' },
])('422 invalid_request: %j', async (change) => {
  const body = { ...(await adjustmentFor(studio, studio.ada, 1)), ...change };
  expect(said(await sendAdjustment(studio, studio.service, studio.ada, body))).toBe('422 invalid_request');
});

test('rows are never changed or deleted', async () => {
  const { person } = await customerWith(0);
  await adjust(studio, person, 1);
  const { db } = studio.service.context;
  for (const change of [
    sql`update quota_adjustments set quantity = 2`,
    sql`update quota_adjustments set reason = 'Deleted', quantity = 2`,
    sql`delete from quota_adjustments`,
    sql`truncate quota_adjustments`,
  ])
    await expect(change.execute(db)).rejects.toThrow('permission denied');
});

test('200: the export of the operator holds what they wrote', async () => {
  const { person } = await customerWith(0);
  const operator = await makeOperator(studio.service);
  const { body } = await adjust({ ...studio, operator }, person, 2);
  const { id, quantity, reason, created_at } = body.quota_adjustment;
  const exported = (await get('/api/auth/export', operator.token)).body.quota_adjustments;
  expect(exported).toEqual([{ id, account_id: showId('acct', person.accountId), quantity, reason, created_at }]);
});
