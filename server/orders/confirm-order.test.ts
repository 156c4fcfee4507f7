import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { newBrand } from '../../test/support/brand.ts';
import { newFile, someBytes } from '../../test/support/files.ts';
import { change, confirm as confirmBrief, readSession, readySession } from '../../test/support/intake.ts';
import {
  createJob,
  newCustomer,
  readJob,
  setPlan,
  sharedStudio,
  type Studio,
  usedOf,
} from '../../test/support/jobs.ts';
import { addMaker, confirm, decline, newOrder, orderIn, readOrder } from '../../test/support/orders.ts';
import { addMember } from '../../test/support/people.ts';
import { bookFaults } from '../../test/support/seed.ts';
import { readId, showId } from '../lib/id.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

/** An owner with a plan, and a member whose orders wait. */
async function company() {
  const { person: owner, key } = await newCustomer(studio.service, 'studio');
  return { owner, key, maker: await addMaker(studio.service, owner) };
}

const said = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code ?? ''}`.trim();

describe('what is made', () => {
  test('201: the job is its maker’s and is what they sent; the event is of who confirmed', async () => {
    const { service } = studio;
    const { owner, key, maker } = await company();
    const file = await newFile(service, maker.token, someBytes());
    const extra = {
      reference: 'PO-1',
      metadata: { shop: '7' },
      wanted_by: '2999-01-15T12:00:00.000Z',
      file_ids: [file.id],
    };
    const id = await newOrder(service, maker, extra);
    expect((await readJobs(key)).length).toBe(0);
    const { status, body } = await confirm(service, owner.token, id);
    expect([status, body.order.status, body.order.job_id]).toEqual([201, 'confirmed', body.job.id]);
    expect(body.order.decided_by).toMatchObject({ kind: 'user', id: showId('user', owner.userId) });
    const { job, events } = await readJob(service, key, body.job.id);
    expect(job).toMatchObject({
      created_by: { kind: 'user', id: showId('user', maker.userId) },
      customer_instructions: 'A round sign with an ear of rye.',
      source: 'dashboard',
      intent_brief: null,
      reference: 'PO-1',
      metadata: { shop: '7' },
      wanted_by: extra.wanted_by,
    });
    expect(job.files.map((each: { id: string }) => each.id)).toEqual([file.id]);
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'job.created',
      'job.file_attached',
      'order.confirmed',
    ]);
    expect(events.at(-1).data).toEqual({ order_id: id });
    const { rows } = await sql<{ type: string; user_id: string }>`
      select type, user_id from events where account_id = ${owner.accountId} and job_id is not null order by seq`.execute(
      service.context.db,
    );
    expect(rows.map((row) => [row.type, row.user_id === maker.userId])).toEqual([
      ['job.created', true],
      ['job.file_attached', true],
      ['order.confirmed', false],
    ]);
    expect(await usedOf(service, owner)).toEqual({ studio: 1 });
    expect(await bookFaults(service.context.db, owner.accountId)).toEqual([]);
  });

  test('201: the same Idempotency-Key finds the draft, and its job once it is confirmed', async () => {
    const { service } = studio;
    const { owner, maker } = await company();
    const id = await newOrder(service, maker, {}, 'one');
    expect(await newOrder(service, maker, {}, 'one')).toBe(id);
    const other = await createJob(service, maker.token, { customer_title: 'Another' }, 'one');
    expect(said(other)).toBe('422 idempotency_key_conflict');
    const { body } = await confirm(service, owner.token, id);
    const repeated = await createJob(service, maker.token, {}, 'one');
    expect([repeated.status, repeated.body.job.id]).toEqual([200, body.job.id]);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
  });

  test('201: a brief becomes the job of its conversation; confirming it once more with its key finds that', async () => {
    const { service } = studio;
    const { owner, maker } = await company();
    const ready = await readySession(service, maker.token);
    const kept = await confirmBrief(service, maker.token, ready.id, { brief_version: 1 }, 'brief');
    expect(said(kept)).toBe('403 confirmation_required');
    expect(said(await confirmBrief(service, maker.token, ready.id))).toBe('403 confirmation_required');
    const { body: list } = await service.call('GET', '/api/v1/orders?status=waiting', { as: owner.token });
    expect(list.orders).toHaveLength(1);
    const { body } = await confirm(service, owner.token, list.orders[0].id);
    const { job } = await readJob(service, owner.token, body.job.id);
    expect(job).toMatchObject({ source: 'intake', intent_brief: ready.intent_brief });
    const again = await confirmBrief(service, maker.token, ready.id, { brief_version: 1 }, 'brief');
    expect([again.status, again.body.job.id]).toEqual([201, body.job.id]);
  });

  test('201: the job gets no copy of the brand kit if its maker leaves it out; the manager sees that before', async () => {
    const { service, operator } = studio;
    const { owner, key, maker } = await company();
    await newBrand(service, key, someBytes());
    const brandOf = async (brand_kit: boolean) => {
      const ready = await readySession(service, maker.token);
      await change(service, maker.token, ready.id, { brand_kit });
      const { body: draft } = await readSession(service, maker.token, ready.id);
      const { version } = draft.intake_session.intent_brief;
      const id = orderIn(await confirmBrief(service, maker.token, ready.id));
      const shown = (await readOrder(service, owner.token, id)).brand_kit;
      const { body } = await confirm(service, owner.token, id, version);
      const path = `/api/operator/v1/jobs/${body.job.id}`;
      return [shown, (await service.call('GET', path, { as: operator.token })).body.job.brand !== null];
    };
    expect(await brandOf(true)).toEqual([true, true]);
    expect(await brandOf(false)).toEqual([false, false]);
  });
});

describe('a version', () => {
  test('409 order_changed: its maker changed the draft since; the new version can be confirmed', async () => {
    const { service } = studio;
    const { owner, maker } = await company();
    const ready = await readySession(service, maker.token);
    await confirmBrief(service, maker.token, ready.id);
    const { body: list } = await service.call('GET', '/api/v1/orders', { as: owner.token });
    const [{ id, version }] = list.orders;
    await change(service, maker.token, ready.id, { customer_title: 'Twenty logos' });
    expect(said(await confirm(service, owner.token, id, version))).toBe('409 order_changed');
    const changed = await readOrder(service, owner.token, id);
    expect([changed.version, changed.customer_title]).toEqual([version + 1, 'Twenty logos']);
    expect((await confirm(service, owner.token, id, version + 1)).status).toBe(201);
  });

  test('409 order_changed: what its maker is still changing', async () => {
    const { service } = studio;
    const { owner, maker } = await company();
    const id = await newOrder(service, maker);
    const { intake_session_id } = await readOrder(service, owner.token, id);
    await change(service, maker.token, intake_session_id, { words: 'Something else.' });
    const { version, ready } = await readOrder(service, owner.token, id);
    expect(ready).toBe(false);
    expect(said(await confirm(service, owner.token, id, version))).toBe('409 order_changed');
  });
});

describe('who', () => {
  test('403 role_required: a member, and the maker even after a promotion', async () => {
    const { service } = studio;
    const { owner, maker } = await company();
    const id = await newOrder(service, maker);
    const colleague = await addMember(service, owner, 'member');
    for (const { token } of [maker, colleague])
      expect(said(await confirm(service, token, id))).toBe('403 role_required');
    const path = `/api/auth/members/${showId('mem', maker.memberId)}`;
    await service.call('PATCH', path, { as: owner.token, body: { role: 'admin' } });
    expect(said(await confirm(service, maker.token, id))).toBe('403 role_required');
    expect(said(await decline(service, maker.token, id))).toBe('403 role_required');
    expect((await confirm(service, owner.token, id)).status).toBe(201);
  });

  test('404 order_not_found: of another account', async () => {
    const { service } = studio;
    const { maker } = await company();
    const { owner: stranger } = await company();
    const id = await newOrder(service, maker);
    for (const unknown of [id, 'ord_01jd3vsh8xe7rtx1zqbdnzc4v0', 'nothing'])
      expect(said(await confirm(service, stranger.token, unknown))).toBe('404 order_not_found');
  });
});

async function refusesOnceChanged(change: Parameters<typeof setPlan>[3], refusal: string): Promise<void> {
  const { service } = studio;
  const { owner, maker } = await company();
  const id = await newOrder(service, maker);
  await setPlan(service, owner, 'studio', change);
  expect(said(await confirm(service, owner.token, id))).toBe(refusal);
  expect((await readOrder(service, owner.token, id)).status).toBe('waiting');
}

describe('what is judged again', () => {
  test('403 entitlement_required: the plan was paused meanwhile', () =>
    refusesOnceChanged({ status: 'paused' }, '403 entitlement_required'));
  test('403 quota_exceeded: the quota was used meanwhile', () =>
    refusesOnceChanged({ quota: 0 }, '403 quota_exceeded'));
  test('403 concurrency_limit_exceeded: too many jobs are open meanwhile', () =>
    refusesOnceChanged({ concurrency_limit: 0 }, '403 concurrency_limit_exceeded'));

  test('403 entitlement_required: the plan of the maker’s kind pays, whoever confirms', async () => {
    const { service } = studio;
    const { owner, maker } = await company();
    const id = await newOrder(service, maker);
    await sql`update entitlements set access_kind = 'agent' where account_id = ${owner.accountId}`.execute(
      service.context.db,
    );
    expect(said(await confirm(service, owner.token, id))).toBe('403 entitlement_required');
  });

  test('422 invalid_request: a wish that has passed meanwhile', async () => {
    const { service } = studio;
    const { owner, maker } = await company();
    const id = await newOrder(service, maker, { wanted_by: '2999-01-15T12:00:00Z' });
    await sql`
      update intake_sessions set draft = jsonb_set(draft, '{wanted_by}', '"2020-01-01T00:00:00.000Z"'),
        brief = jsonb_set(brief, '{wanted_by}', '"2020-01-01T00:00:00.000Z"')
      where account_id = ${owner.accountId}`.execute(service.context.db);
    expect(said(await confirm(service, owner.token, id))).toBe('422 invalid_request');
  });

  /** Of an order whose brief says this meanwhile. */
  async function confirmWith(field: string, value: string) {
    const { service } = studio;
    const { owner, maker } = await company();
    const id = await newOrder(service, maker);
    await sql`update intake_sessions set brief = jsonb_set(brief, ${[field]}::text[], to_jsonb(${value}::text))
      where account_id = ${owner.accountId}`.execute(service.context.db);
    return confirm(service, owner.token, id);
  }

  test('422 unsupported_service: what the catalog no longer has', async () => {
    expect(said(await confirmWith('service_type', 'gone'))).toBe('422 unsupported_service');
  });

  test('422 unsafe_request: what the rules refuse since', async () => {
    expect(said(await confirmWith('customer_title', 'Card 4242 4242 4242 4242'))).toBe('422 unsafe_request');
  });
});

describe('once', () => {
  test('409 order_changed: decided before, lapsed, and closed by its maker', async () => {
    const { service } = studio;
    const { owner, maker } = await company();
    const [confirmed, lapsed, closed] = [
      await newOrder(service, maker),
      await newOrder(service, maker),
      await newOrder(service, maker),
    ];
    await confirm(service, owner.token, confirmed);
    await sql`
      update orders set lapses_at = now() where account_id = ${owner.accountId} and id = ${readId('ord', lapsed)}`.execute(
      service.context.db,
    );
    const { intake_session_id } = await readOrder(service, owner.token, closed);
    await service.call('POST', `/api/v1/intake/sessions/${intake_session_id}/close`, { as: maker.token });
    for (const id of [confirmed, lapsed, closed])
      expect(said(await confirm(service, owner.token, id))).toBe('409 order_changed');
    expect((await readOrder(service, owner.token, lapsed)).status).toBe('lapsed');
    expect((await readOrder(service, owner.token, closed)).status).toBe('ended');
  });

  test('409 order_changed: a job was created with its key by a maker who no longer waits', async () => {
    const { service } = studio;
    const { owner, maker } = await company();
    const id = await newOrder(service, maker, {}, 'mine');
    const path = `/api/auth/members/${showId('mem', maker.memberId)}`;
    await service.call('PATCH', path, { as: owner.token, body: { orders: 'direct' } });
    expect((await createJob(service, maker.token, {}, 'mine')).status).toBe(201);
    expect(said(await confirm(service, owner.token, id))).toBe('409 order_changed');
  });

  test('201 and 409: two managers at the same time make one job', async () => {
    const { service } = studio;
    const { owner, key, maker } = await company();
    const admin = await addMember(service, owner, 'admin');
    const id = await newOrder(service, maker);
    const answers = await Promise.all([owner, admin, owner, admin].map(({ token }) => confirm(service, token, id)));
    expect(answers.map(said).toSorted()).toEqual(['201', ...Array(3).fill('409 order_changed')]);
    expect(await readJobs(key)).toHaveLength(1);
  });
});

const readJobs = async (key: string) => (await studio.service.call('GET', '/api/v1/jobs', { as: key })).body.jobs;
