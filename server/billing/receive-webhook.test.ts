import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilBlocked } from '../../test/support/locks.ts';
import { draft } from '../../test/support/jobs.ts';
import { signUp, type TestPerson } from '../../test/support/people.ts';
import { bindCustomer, seconds, sendEvent, subscriptionEvent } from '../../test/support/plans.ts';
import { type Got, createService, type Service } from '../../test/support/harness.ts';
import { newId, showId } from '../lib/id.ts';
import { sign } from './signature.ts';

let service: Service;
let ada: TestPerson;
let names: { accountId: string; customer: string; subscription: string };
const second = seconds(Date.now());

beforeAll(async () => {
  service = await createService({ STRIPE_WEBHOOK_SECRET: 'whsec_test,whsec_next', LOG_LEVEL: 'fatal' });
});
afterAll(() => service.close());
beforeEach(async () => {
  ada = await signUp(service);
  names = {
    accountId: ada.accountId,
    customer: await bindCustomer(service, ada),
    subscription: `sub_${randomUUID()}`,
  };
});

type Fields = Parameters<typeof subscriptionEvent>[3];
const event = (tier = 'studio', fields: Fields = {}) => subscriptionEvent(service, names, tier, fields);
const send = (tier?: string, fields?: Fields) => sendEvent(service, event(tier, fields));
const entitlements = async () =>
  (await service.call('GET', '/api/v1/entitlements', { as: ada.token })).body.entitlements;
const stored = (id: string) =>
  service.context.db.selectFrom('provider_events').selectAll().where('id', '=', id).executeTakeFirst();
const countEvents = async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from provider_events`.execute(service.context.db);
  return rows[0]?.n;
};
const createJob = () => service.call('POST', '/api/v1/jobs', { as: ada.token, body: draft });

describe('processed', () => {
  test('200 processed: the smallest event grants the plan for a month', async () => {
    const given = event();
    const { status, body } = await sendEvent(service, given);
    expect([status, body]).toEqual([200, { received: true, status: 'processed' }]);
    const [granted, ...more] = await entitlements();
    expect(more).toEqual([]);
    expect(granted).toMatchObject({
      plan_code: 'studio',
      status: 'active',
      quota: 500,
      used: 0,
      concurrency_limit: 25,
    });
    expect(Math.abs(seconds(granted.period.start) - seconds(Date.now()))).toBeLessThan(60);
    expect(await stored(given.id)).toMatchObject({ outcome: 'processed', reason: null, account_id: ada.accountId });
  });

  test.each(['whsec_test', 'whsec_next'])('200 processed: signed with either of two secrets: %s', async (secret) => {
    expect((await sendEvent(service, event(), { secret })).body.status).toBe('processed');
    expect(await entitlements()).toHaveLength(1);
  });

  test.each(['created', 'updated', 'resumed'])('200 processed: %s grants', async (type) => {
    await send('agent', { type: `customer.subscription.${type}`, object: { status: 'active' } });
    expect(await entitlements()).toMatchObject([{ plan_code: 'agent', status: 'active' }]);
  });

  test('200 processed: trialing grants', async () => {
    await send('agent', { object: { status: 'trialing' } });
    expect(await entitlements()).toMatchObject([{ status: 'active' }]);
  });

  test.each(['canceled', 'unpaid', 'incomplete', 'incomplete_expired', 'paused', 'past_due', ''])(
    '200 processed: the status "%s" alone grants nothing',
    async (status) => {
      expect((await send('studio', { object: { status } })).body.status).toBe('processed');
      expect(await entitlements()).toEqual([]);
      const { body } = await service.call('GET', '/api/v1/me', { as: ada.token });
      expect(body.entitlement_summary).toMatchObject({ active: false, plan_codes: [] });
    },
  );

  test('200 processed: paused takes access away, resumed gives it back with what was used', async () => {
    await send('studio', { created: second });
    expect((await createJob()).status).toBe(201);
    await send('studio', { type: 'customer.subscription.paused', created: second + 1 });
    expect(await entitlements()).toMatchObject([{ status: 'paused' }]);
    expect((await createJob()).status).toBe(403);
    await send('studio', { type: 'customer.subscription.resumed', created: second + 2, object: { status: 'active' } });
    expect(await entitlements()).toMatchObject([{ status: 'active', used: 1 }]);
  });

  test('200 processed: deleted takes access away', async () => {
    await send('studio', { created: second });
    await send('studio', { type: 'customer.subscription.deleted', created: second + 1 });
    expect(await entitlements()).toMatchObject([{ plan_code: 'studio', status: 'canceled' }]);
    expect((await createJob()).status).toBe(403);
  });

  test('200 processed: past due keeps what was paid for until the period ends, without hours of grace', async () => {
    const period = { current_period_start: second - 86_400, current_period_end: second + 86_400 };
    await send('studio', { created: second, object: period });
    const next = { current_period_start: second + 86_400, current_period_end: second + 30 * 86_400 };
    await send('studio', { created: second + 1, object: { status: 'past_due', ...next } });
    expect(await entitlements()).toMatchObject([{ status: 'past_due' }]);
    expect((await createJob()).status).toBe(201);
    await sql`
      update entitlement_periods set period_end = now() - interval '1 second'
      where period_start < now() - interval '1 hour'`.execute(service.context.db);
    expect(await entitlements()).toMatchObject([{ status: 'past_due' }]);
    expect((await createJob()).status).toBe(403);
  });

  test('200 processed: a plan change in the middle of the period takes the new quota and keeps what was used', async () => {
    await send('solo', { created: second });
    expect((await createJob()).status).toBe(201);
    await send('studio', { created: second + 1 });
    expect(await entitlements()).toMatchObject([{ plan_code: 'studio', quota: 500, used: 1, remaining: 499 }]);
    await send('solo', { created: second + 2 });
    expect(await entitlements()).toMatchObject([{ plan_code: 'solo', quota: 5, used: 1 }]);
  });

  test('200 processed: a new period starts at zero, the same start keeps what was used, an old one finds it again', async () => {
    const from = (start: number, days: number) => ({
      current_period_start: start,
      current_period_end: start + days * 86_400,
    });
    await send('studio', { created: second, object: from(second - 100, 30) });
    expect((await createJob()).status).toBe(201);
    await send('studio', { created: second + 1, object: from(second - 100, 31) });
    expect(await entitlements()).toMatchObject([{ used: 1 }]);
    await send('studio', { created: second + 2, object: from(second + 100, 30) });
    expect(await entitlements()).toMatchObject([{ used: 0 }]);
    await send('studio', { created: second + 3, object: from(second - 100, 30) });
    expect(await entitlements()).toMatchObject([{ used: 1 }]);
  });

  test('200 processed: the period of the first item counts where the subscription has none', async () => {
    const given = event('studio');
    const item = { ...given.data.object.items.data[0], current_period_start: second, current_period_end: second + 60 };
    await sendEvent(service, { ...given, data: { object: { ...given.data.object, items: { data: [item] } } } });
    const period = { start: new Date(second * 1000).toISOString(), end: new Date((second + 60) * 1000).toISOString() };
    expect(await entitlements()).toMatchObject([{ period }]);
  });

  test('200 processed: without a period the anchored month and what was used are kept, a later month starts at zero', async () => {
    await send('studio', { created: second - 3600 });
    expect((await createJob()).status).toBe(201);
    const [first] = await entitlements();
    await send('studio', { created: second });
    expect(await entitlements()).toMatchObject([{ period: first.period, used: 1 }]);
    await send('studio', { created: seconds(first.period.end) });
    expect(await entitlements()).toMatchObject([{ period: { start: first.period.end }, used: 0 }]);
  });

  test('200 processed: the subscription is the object itself where it names none', async () => {
    await send('studio', { object: { subscription: undefined, id: names.subscription } });
    expect(await entitlements()).toHaveLength(1);
    await send('studio', { type: 'customer.subscription.deleted' });
    expect(await entitlements()).toMatchObject([{ status: 'canceled' }]);
  });

  test('only the fields that are read are stored', async () => {
    const given = event('studio', { object: { email: 'ada@example.com', metadata_other: { card: '4242' } } });
    await sendEvent(service, { ...given, request: { ip: '203.0.113.7' } });
    expect((await stored(given.id))?.payload).toEqual(event('studio', { id: given.id }));
  });
});

describe('duplicate', () => {
  test('200 duplicate: a recorded id grants once, whatever the second body says', async () => {
    const given = event('solo');
    expect((await sendEvent(service, given)).body.status).toBe('processed');
    expect((await sendEvent(service, given)).body).toEqual({ received: true, status: 'duplicate' });
    expect((await sendEvent(service, event('studio', { id: given.id }))).body.status).toBe('duplicate');
    expect(await entitlements()).toMatchObject([{ plan_code: 'solo' }]);
  });

  test('200 duplicate: an ignored id too', async () => {
    const given = event('solo', { livemode: true });
    expect((await sendEvent(service, given)).body.status).toBe('ignored');
    expect((await sendEvent(service, given)).body.status).toBe('duplicate');
  });

  test('50 copies at once: one is processed, 49 are duplicates, one grant', async () => {
    const given = event();
    const answers = await Promise.all(Array.from({ length: 50 }, () => sendEvent(service, given)));
    const count = (status: string) => answers.filter(({ body }) => body.status === status).length;
    expect([count('processed'), count('duplicate')]).toEqual([1, 49]);
    expect(await entitlements()).toHaveLength(1);
  });

  test('50 different events of one subscription at once: the newest holds', async () => {
    const events = Array.from({ length: 50 }, (_, at) => event(at === 49 ? 'agent' : 'solo', { created: second + at }));
    const answers = await Promise.all(events.map((one) => sendEvent(service, one)));
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(await entitlements()).toMatchObject([{ plan_code: 'agent', status: 'active' }]);
  });
});

describe('ignored', () => {
  const price = (changes: object) => {
    const [item] = event().data.object.items.data;
    return { items: { data: [{ price: { ...item?.price, ...changes } }] } };
  };
  const metadata = (changes: object) => ({ metadata: { ...event().data.object.metadata, ...changes } });

  test.each<[string, () => Fields]>([
    ['unsupported type', () => ({ type: 'invoice.created' })],
    ['unsupported type', () => ({ type: 'checkout.session.completed' })],
    ['unsupported type', () => ({ type: 'constructor' })],
    ['wrong livemode', () => ({ livemode: true })],
    ['missing subscription', () => ({ object: { subscription: undefined } })],
    ['missing metadata', () => ({ object: { metadata: undefined } })],
    ['missing metadata', () => ({ object: { metadata: {} } })],
    ['missing metadata', () => ({ object: metadata({ service_entitlement_code: undefined }) })],
    ['missing metadata', () => ({ object: metadata({ service_account_id: undefined }) })],
    ['missing metadata', () => ({ object: metadata({ service_account_id: '' }) })],
    ['unknown plan code', () => ({ object: metadata({ service_entitlement_code: 'platinum' }) })],
    ['price of another plan', () => ({ object: metadata({ service_entitlement_code: 'solo' }) })],
    ['unknown price', () => ({ object: price({ id: 'price_unknown' }) })],
    ['unknown price', () => ({ object: { items: undefined } })],
    ['unknown price', () => ({ object: { items: { data: [] } } })],
    ['several items', () => ({ object: { items: { data: [...price({}).items.data, ...price({}).items.data] } } })],
    ['several items', () => ({ object: { items: { ...price({}).items, has_more: true } } })],
    ['wrong quantity', () => ({ object: { items: { data: [{ ...price({}).items.data[0], quantity: 2 }] } } })],
    ['wrong quantity', () => ({ object: { items: { data: [{ ...price({}).items.data[0], quantity: 0 }] } } })],
    ['wrong quantity', () => ({ object: price({ transform_quantity: { divide_by: 10, round: 'down' } }) })],
    ['wrong interval', () => ({ object: price({ recurring: { interval: 'year' } }) })],
    ['wrong interval', () => ({ object: price({ recurring: { interval: 'month', interval_count: 2 } }) })],
    ['wrong interval', () => ({ object: price({ recurring: { interval: 'month', usage_type: 'metered' } }) })],
    [
      'another product',
      () => ({ object: { ...price({ id: 'price_of_a_newsletter' }), metadata: {}, customer: 'cus_of_a_newsletter' } }),
    ],
    ['unknown product', () => ({ object: price({ product: 'prod_unknown' }) })],
    ['unknown product', () => ({ object: price({ product: undefined }) })],
    ['wrong amount', () => ({ object: price({ unit_amount: 1 }) })],
    ['wrong amount', () => ({ object: price({ unit_amount: null }) })],
    ['wrong currency', () => ({ object: price({ currency: 'jpy' }) })],
    ['wrong currency', () => ({ object: { currency: 'jpy' } })],
    ['unusable period', () => ({ object: { current_period_start: 200, current_period_end: 200 } })],
    ['unbound customer', () => ({ object: { customer: 'cus_unbound' } })],
    ['unbound customer', () => ({ object: { customer: undefined } })],
    ['customer of another account', () => ({ object: metadata({ service_account_id: showId('acct', newId()) }) })],
    ['customer of another account', () => ({ object: metadata({ service_account_id: ada.accountId }) })],
  ])('200 ignored: %s (%#)', async (reason, fields) => {
    const given = event('studio', fields());
    expect((await sendEvent(service, given)).body).toEqual({ received: true, status: 'ignored' });
    expect(await stored(given.id)).toMatchObject({ outcome: 'ignored', reason });
    expect(await entitlements()).toEqual([]);
  });

  test('200 ignored: the customer of somebody else, who is named right', async () => {
    const eve = await signUp(service);
    const customer = await bindCustomer(service, eve);
    expect((await send('studio', { object: { customer } })).body.status).toBe('ignored');
    expect(await entitlements()).toEqual([]);
  });

  test('200 ignored: a subscription that is tied to another account', async () => {
    await send();
    const eve = await signUp(service);
    const stolen = { ...names, accountId: eve.accountId, customer: await bindCustomer(service, eve) };
    const given = subscriptionEvent(service, stolen, 'studio', { type: 'customer.subscription.deleted' });
    expect((await sendEvent(service, given)).body.status).toBe('ignored');
    expect(await stored(given.id)).toMatchObject({ reason: 'subscription of another account' });
    expect(await entitlements()).toMatchObject([{ status: 'active' }]);
  });

  test('503, then 200 ignored: a subscription that another account takes at the same moment', async () => {
    const { db } = service.context;
    const eve = await signUp(service);
    const late = { ...names, accountId: eve.accountId, customer: await bindCustomer(service, eve) };
    const given = subscriptionEvent(service, late, 'solo');
    const sent = await db.transaction().execute(async (trx) => {
      // Ada's event closes her checkout last: it waits here, and Eve's event waits for Ada's.
      const checkouts = trx.selectFrom('checkouts').select('id').where('account_id', '=', ada.accountId);
      expect(await checkouts.forUpdate().execute()).toHaveLength(1);
      const first = send('solo');
      await untilBlocked(db, 1);
      const second = sendEvent(service, given);
      await untilBlocked(db, 2);
      return { first, second };
    });
    expect((await sent.first).body.status).toBe('processed');
    const { status, body } = await sent.second;
    expect([status, body.error.code]).toEqual([503, 'service_unavailable']);
    expect((await sendEvent(service, given)).body.status).toBe('ignored');
    expect(await stored(given.id)).toMatchObject({ reason: 'subscription of another account' });
    expect(await entitlements()).toMatchObject([{ plan_code: 'solo', status: 'active' }]);
    expect((await service.call('GET', '/api/v1/entitlements', { as: eve.token })).body.entitlements).toEqual([]);
  });

  test('200 ignored: older than what is already applied', async () => {
    await send('studio', { created: second });
    const before = await entitlements();
    for (const type of ['customer.subscription.updated', 'customer.subscription.deleted']) {
      const { body } = await send('solo', { type, created: second - 1 });
      expect(body.status).toBe('ignored');
    }
    expect(await entitlements()).toEqual(before);
  });

  test('200 ignored: created after deleted grants nothing', async () => {
    await send('studio', { type: 'customer.subscription.deleted', created: second + 1 });
    expect((await send('studio', { type: 'customer.subscription.created', created: second })).body.status).toBe(
      'ignored',
    );
    const { body } = await service.call('GET', '/api/v1/me', { as: ada.token });
    expect(body.entitlement_summary.active).toBe(false);
  });

  test('200 ignored: a text that is cut within a character is too long, and stored as such', async () => {
    const given = event('studio', { object: { status: `${'a'.repeat(255)}😀` } });
    expect((await sendEvent(service, given)).body).toEqual({ received: true, status: 'ignored' });
    expect((await stored(given.id))?.reason).toBe('/data/object/status: not of the form that the provider documents');
  });

  test('without created the time of the signature counts', async () => {
    const now = seconds(Date.now());
    await sendEvent(service, event('studio'), { at: now });
    expect((await sendEvent(service, event('solo'), { at: now - 100 })).body.status).toBe('ignored');
    expect((await sendEvent(service, event('solo'), { at: now + 100 })).body.status).toBe('processed');
  });
});

describe('refused', () => {
  const answersAlike = (answers: Got[]) =>
    new Set(answers.map(({ body }) => JSON.stringify({ ...body.error, request_id: '' }))).size === 1;

  test('400 invalid_signature: missing, malformed, stale, early, wrong, with one and the same answer; nothing is kept', async () => {
    const before = await countEvents();
    const body = JSON.stringify(event());
    const good = sign('whsec_test', second, body);
    const headers = [
      null,
      '',
      'nonsense',
      good.replace('v1', 'v0'),
      `t=1,${good}`,
      good.replace(',', ', '),
      good.toUpperCase(),
    ];
    const answers = [
      ...(await Promise.all(headers.map((header) => sendEvent(service, body, { header })))),
      await sendEvent(service, body, { at: seconds(Date.now()) - 400 }),
      await sendEvent(service, body, { at: seconds(Date.now()) + 400 }),
      await sendEvent(service, body, { secret: 'whsec_wrong' }),
      await sendEvent(service, `${body} `, { header: good }),
      await sendEvent(service, `\u{feff}${body}`, { header: good }),
      await sendEvent(service, gzipSync(body), { header: good }),
      await sendEvent(service, '', { header: good }),
    ];
    for (const { status, body } of answers) expect([status, body.error.code]).toEqual([400, 'invalid_signature']);
    expect(answersAlike(answers)).toBe(true);
    expect(await countEvents()).toBe(before);
  });

  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
  test.each<[string, string | Uint8Array]>([
    ['empty', ''],
    ['no JSON', '{"id":'],
    ['a byte order mark', `\u{feff}{"id":"evt_bom","type":"a","livemode":false}`],
    ['no UTF-8', Buffer.from('7b226964223a22ff227d', 'hex')],
    ['gzip', gzipSync('{"id":"evt_gzip","type":"a","livemode":false}')],
    ['null', 'null'],
    ['a list', '[]'],
    ['a text', '"evt_1"'],
    ['deep lists', deep],
    ['no id', '{"type":"invoice.paid","livemode":false}'],
    ['a number as id', '{"id":1,"type":"invoice.paid","livemode":false}'],
    ['NUL in the id', '{"id":"evt_\\u0000","type":"invoice.paid","livemode":false}'],
    ['a lone surrogate in the type', '{"id":"evt_1","type":"\\ud800","livemode":false}'],
    ['no type', '{"id":"evt_1","livemode":false}'],
  ])('400 invalid_request: signed, but %s', async (_, raw) => {
    const before = await countEvents();
    const { status, body } = await sendEvent(service, raw);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(await countEvents()).toBe(before);
  });

  const about = (object: unknown) => ({ livemode: false, data: { object } });
  test.each<[string, object, string]>([
    ['no livemode', { data: { object: {} } }, '/livemode'],
    ['a text as livemode', { ...about({}), livemode: 'false' }, '/livemode'],
    ['a text as created', { ...about({}), created: '1' }, '/created'],
    ['created too far', { ...about({}), created: 1e18 }, '/created'],
    ['no data', { livemode: false }, '/data'],
    ['a text as object', about('x'), '/data/object'],
    ['a number as customer', about({ customer: 1 }), '/data/object/customer'],
    ['an expanded customer', about({ customer: { email: 'ada@example.com' } }), '/data/object/customer'],
    ['a text as metadata', about({ metadata: 'x' }), '/data/object/metadata'],
    ['a list as items', about({ items: [] }), '/data/object/items'],
    ['a text that is too long', about({ subscription: 'x'.repeat(300) }), '/data/object/subscription'],
    ['NUL in the customer', about({ customer: 'a\0' }), '/data/object/customer'],
  ])('200 ignored, and kept for the operator: %s', async (_, fields, place) => {
    const id = `evt_${randomUUID()}`;
    const { status, body } = await sendEvent(service, { id, type: 'customer.subscription.updated', ...fields });
    expect([status, body.status]).toEqual([200, 'ignored']);
    const { db } = service.context;
    const kept = await db.selectFrom('provider_events').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect([kept.outcome, kept.account_id]).toEqual(['ignored', null]);
    expect(kept.reason).toBe(`${place}: not of the form that the provider documents`);
    expect(JSON.stringify(kept.payload)).not.toContain('example.com');
  });

  test('200: duplicate keys, deep and strange fields that are not read do no harm', async () => {
    const raw = JSON.stringify(event()).replace(
      '{',
      `{"deep":${deep},"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"text":"\\ud800\\u0000","id":"evt_other",`,
    );
    expect((await sendEvent(service, raw)).body.status).toBe('processed');
    expect('polluted' in {}).toBe(false);
  });
});

describe('a fault', () => {
  test('503 service_unavailable: nothing is kept, and the next delivery is processed', async () => {
    const { db } = service.context;
    await sql`create function full_disk() returns trigger language plpgsql as $$
      begin raise exception 'no space left' using errcode = '53100'; end $$`.execute(db);
    await sql`create trigger full_disk before insert on entitlement_periods
      for each row execute function full_disk()`.execute(db);
    const given = event();
    const failed = await sendEvent(service, given);
    await sql`drop trigger full_disk on entitlement_periods`.execute(db);
    expect([failed.status, failed.body.error.code]).toEqual([503, 'service_unavailable']);
    expect(await stored(given.id)).toBeUndefined();
    expect(await entitlements()).toEqual([]);
    expect((await sendEvent(service, given)).body.status).toBe('processed');
    expect(await entitlements()).toHaveLength(1);
  });

  test('503 service_unavailable: the connection dies between receipt and grant; the retry grants, once', async () => {
    const { db } = service.context;
    await sql`create function die() returns trigger language plpgsql as $$
      begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`.execute(db);
    await sql`create trigger die before insert on entitlements for each row execute function die()`.execute(db);
    const given = event();
    const failed = await sendEvent(service, given);
    await sql`drop trigger die on entitlements`.execute(db);
    expect([failed.status, failed.body.error.code]).toEqual([503, 'service_unavailable']);
    expect(await stored(given.id)).toBeUndefined();
    expect(await entitlements()).toEqual([]);
    expect((await sendEvent(service, given)).body.status).toBe('processed');
    expect((await sendEvent(service, given)).body.status).toBe('duplicate');
    expect(await entitlements()).toHaveLength(1);
  });
});

test('twelve orders of arrival of five events end in the same entitlement', async () => {
  const permutations = <T>(all: T[]): T[][] =>
    all.length < 2 ? [all] : all.flatMap((one, at) => permutations(all.toSpliced(at, 1)).map((rest) => [one, ...rest]));
  const period = { current_period_start: second, current_period_end: second + 86_400 };
  const steps = [
    ['created', 'solo', 'active'],
    ['updated', 'studio', 'active'],
    ['paused', 'studio', 'paused'],
    ['resumed', 'agent', 'active'],
    ['updated', 'agent', 'past_due'],
  ] as const;
  const ends = new Set<string>();
  for (const arrival of permutations([...steps.entries()]).filter((_, at) => at % 10 === 0)) {
    names.subscription = `sub_${randomUUID()}`;
    for (const [at, [type, tier, status]] of arrival)
      await send(tier, {
        type: `customer.subscription.${type}`,
        created: second + at,
        object: { status, ...period },
      });
    const [last] = await entitlements();
    ends.add(JSON.stringify({ ...last, id: '', granted_at: '', updated_at: '' }));
  }
  expect(ends.size).toBe(1);
  expect(JSON.parse([...ends][0] ?? '')).toMatchObject({ plan_code: 'agent', status: 'past_due', quota: 100, used: 0 });
});
