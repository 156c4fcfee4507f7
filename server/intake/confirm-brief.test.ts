import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFile, someBytes } from '../../test/support/files.ts';
import { change, confirm, expire, openSession, readSession, readySession, say } from '../../test/support/intake.ts';
import {
  activeJobsOf,
  newCustomer,
  newJob,
  sharedStudio,
  readJob,
  setPlan,
  type Studio,
  usedOf,
} from '../../test/support/jobs.ts';
import { addMaker, newOrder } from '../../test/support/orders.ts';
import { grant } from '../../test/support/plans.ts';
import { bookFaults } from '../../test/support/seed.ts';
import { readId } from '../lib/id.ts';
import { policy } from '../safety/policy.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

describe('what is made', () => {
  test('201 with the job of the brief, counted once, and the session confirmed', async () => {
    const { service } = studio;
    const { person, key } = await newCustomer(service, 'agent');
    const ready = await readySession(service, key);
    const { status, body } = await confirm(service, key, ready.id, { brief_version: 1 });
    expect(status).toBe(201);
    const confirmed = { status: 'confirmed', job_id: body.job.id, suggested_replies: [] };
    expect(body.intake_session).toEqual({ ...ready, ...confirmed, next_action: expect.stringContaining(body.job.id) });
    expect(body.job).toMatchObject({ status: 'queued', links: { self: `/api/v1/jobs/${body.job.id}` } });
    expect(body.next_action).toContain(`/api/v1/events?job_id=${body.job.id}&types=`);
    const { job, events } = await readJob(service, key, body.job.id);
    const { service_family, service_type, customer_title, customer_instructions } = ready.intent_brief;
    expect(job).toMatchObject({ service_family, service_type, customer_title, customer_instructions });
    expect(job).toMatchObject({ source: 'intake', intent_brief: ready.intent_brief, files: [] });
    expect(events.map(({ type }: { type: string }) => type)).toEqual(['job.created']);
    expect(await usedOf(service, person)).toEqual({ agent: 1 });
    expect(await activeJobsOf(service, person)).toBe(1);
    expect(await bookFaults(service.context.db, person.accountId)).toEqual([]);
  });

  test('201 by a session with the plan of people, as a browser with its token', async () => {
    const { person } = await newCustomer(studio.service, 'solo');
    const ready = await readySession(studio.service, person);
    expect((await confirm(studio.service, person, ready.id)).status).toBe(201);
  });

  test('201 with the files that were named in the conversation, or with those that confirm names', async () => {
    const { service, key } = studio;
    const [one, two, three] = [
      await newFile(service, key, someBytes()),
      await newFile(service, key, someBytes()),
      await newFile(service, key, someBytes()),
    ];
    const first = await readySession(service, key);
    await say(service, key, first.id, `See ${one.id}`);
    const { body: named } = await confirm(service, key, first.id);
    expect((await readJob(service, key, named.job.id)).job.files.map(({ id }: { id: string }) => id)).toEqual([one.id]);
    const second = await readySession(service, key);
    await say(service, key, second.id, `See ${two.id}`);
    const { body: chosen } = await confirm(service, key, second.id, { file_ids: [three.id] });
    expect((await readJob(service, key, chosen.job.id)).job.files.map(({ id }: { id: string }) => id)).toEqual([
      three.id,
    ]);
  });

  test('201: the job has the wish of the draft', async () => {
    const { service, key } = studio;
    const { id } = await readySession(service, key);
    await change(service, key, id, { wanted_by: '2999-01-15T12:00+02:00' });
    const { body } = await confirm(service, key, id);
    const { job } = await readJob(service, key, body.job.id);
    expect(job).toMatchObject({ wanted_by: '2999-01-15T10:00:00.000Z' });
  });

  test('422 invalid_request: the time of the wish has come, and the brief stays ready', async () => {
    const { service, key } = studio;
    const { id } = await readySession(service, key);
    await service.context.db
      .updateTable('intake_sessions')
      .set({ brief: sql`jsonb_set(brief, '{wanted_by}', '"2020-01-15T12:00:00.000Z"')` })
      .where('id', '=', readId('ise', id) ?? '')
      .execute();
    const { status, body } = await confirm(service, key, id);
    expect([status, body.error.details[0].location]).toEqual([422, '/wanted_by']);
    expect((await readSession(service, key, id)).body.intake_session.status).toBe('brief_ready');
  });

  test('201 once for twenty confirms at once', async () => {
    const { service } = studio;
    const { person, key } = await newCustomer(service, 'studio');
    const ready = await readySession(service, key);
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(service, key, ready.id)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error?.code === 'intake_session_conflict')).toHaveLength(19);
    expect(await usedOf(service, person)).toEqual({ studio: 1 });
  });

  test('201 for each of twenty at once with one Idempotency-Key, with one job', async () => {
    const { service } = studio;
    const { person, key } = await newCustomer(service, 'studio');
    const ready = await readySession(service, key);
    const answers = await Promise.all(Array.from({ length: 20 }, () => confirm(service, key, ready.id, {}, 'k')));
    expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(19);
    expect(await usedOf(service, person)).toEqual({ studio: 1 });
  });

  test('201 for the last place only: two sessions confirmed at once with room for one', async () => {
    const { service } = studio;
    const { person, key } = await newCustomer(service, 'studio');
    await setPlan(service, person, 'studio', { quota: 1 });
    const ready = await Promise.all([
      readySession(service, key),
      readySession(service, key),
      readySession(service, key),
    ]);
    const answers = await Promise.all(ready.map(({ id }) => confirm(service, key, id)));
    expect(answers.map(({ status, body }) => body.error?.code ?? status).toSorted()).toEqual([
      201,
      'quota_exceeded',
      'quota_exceeded',
    ]);
    expect(await bookFaults(service.context.db, person.accountId)).toEqual([]);
  });
});

describe('what is refused leaves the brief ready', () => {
  test.each([
    ['403 entitlement_required: no plan', 'entitlement_required', async () => newCustomer(studio.service)],
    [
      '403 entitlement_required: a plan for people, asked by a key',
      'entitlement_required',
      async () => newCustomer(studio.service, 'solo'),
    ],
    [
      '403 quota_exceeded: nothing left',
      'quota_exceeded',
      async () => {
        const customer = await newCustomer(studio.service, 'agent');
        await setPlan(studio.service, customer.person, 'agent', { quota: 0 });
        return customer;
      },
    ],
    [
      '403 concurrency_limit_exceeded: too many at work',
      'concurrency_limit_exceeded',
      async () => {
        const customer = await newCustomer(studio.service, 'agent');
        await setPlan(studio.service, customer.person, 'agent', { concurrency_limit: 1 });
        await newJob(studio.service, customer.key);
        return customer;
      },
    ],
  ])('%s', async (_, code, customer) => {
    const { service } = studio;
    const { person, key } = await customer();
    const ready = await readySession(service, key);
    const { status, body } = await confirm(service, key, ready.id, {}, 'once');
    expect([status, body.error.code]).toEqual([403, code]);
    expect((await readSession(service, key, ready.id)).body.intake_session).toEqual(ready);
    // The refusal was not remembered: with its cause fixed the same key works.
    await grant(service, person, 'studio');
    expect((await confirm(service, key, ready.id, {}, 'once')).status).toBe(201);
  });

  test('409 intake_session_conflict: no brief yet, and what it lacks', async () => {
    const { service, key } = studio;
    const confirmNew = async (body: object) => confirm(service, key, (await openSession(service, key, body)).id);
    const { status, body } = await confirmNew({ service_family: 'design' });
    expect([status, body.error.code]).toEqual([409, 'intake_session_conflict']);
    expect(body.error.message).toBe('There is no brief to confirm: no service is chosen.');
    const message = 'Brand name: Rise Bakery\nAudience: families\nStyle: warm';
    const lacking = await confirmNew({ service_family: 'design', service_type: 'logo', message });
    expect(lacking.body.error.message).toMatch(/neither answered nor left open: Where it will be used\.$/);
    const whole = await confirmNew({
      service_family: 'design',
      service_type: 'logo',
      message: `${message}\nUsage: signs`, // without Existing brand assets, which is optional
    });
    expect(whole.status).toBe(201);
  });

  test('409 intake_session_conflict: a version that has been revised since', async () => {
    const { service, key } = studio;
    const ready = await readySession(service, key);
    await say(service, key, ready.id, 'Audience: students');
    const { status, body } = await confirm(service, key, ready.id, { brief_version: 1 });
    expect([status, body.error.code]).toEqual([409, 'intake_session_conflict']);
    expect(body.error.message).toContain('version 2 now, not 1');
    expect((await confirm(service, key, ready.id, { brief_version: 2 })).status).toBe(201);
  });

  test('409 intake_session_conflict: confirmed before, or expired', async () => {
    const { service, key } = studio;
    const ready = await readySession(service, key);
    expect((await confirm(service, key, ready.id)).status).toBe(201);
    const again = await confirm(service, key, ready.id);
    expect([again.status, again.body.error.code]).toEqual([409, 'intake_session_conflict']);
    const late = await readySession(service, key);
    await expire(service, late.id);
    expect((await confirm(service, key, late.id)).body.error.code).toBe('intake_session_conflict');
  });

  test('422 unsupported_service: the option has been taken from the catalog', async () => {
    const { service, key } = studio;
    const ready = await readySession(service, key);
    const { options } = service.context.catalog.families.get('design')!;
    const [logo] = options.splice(0, 1);
    const { status, body } = await confirm(service, key, ready.id);
    expect([status, body.error.code]).toEqual([422, 'unsupported_service']);
    const { body: asked } = await say(service, key, ready.id, 'What now?');
    options.unshift(logo!);
    expect(asked.intake_session).toMatchObject({ status: 'open', service_type: null, intent_brief: null });
  });

  test('422 unsafe_request: what the policy excludes since', async () => {
    const { service, key } = studio;
    const ready = await readySession(service, key);
    policy.push({ id: 'bakeries', description: 'bakeries', patterns: /\bbakery\b/gu, unless: null });
    const { status, body } = await confirm(service, key, ready.id);
    policy.pop();
    expect([status, body.error.code]).toEqual([422, 'unsafe_request']);
    expect((await confirm(service, key, ready.id)).status).toBe(201);
  });

  test('422 invalid_request: a version below 1, a file that a job has already', async () => {
    const { service, key } = studio;
    const ready = await readySession(service, key);
    expect((await confirm(service, key, ready.id, { brief_version: 0 })).body.error.code).toBe('invalid_request');
    const used = await newFile(service, key, someBytes());
    await newJob(service, key, { file_ids: [used.id] });
    const { status, body } = await confirm(service, key, ready.id, { file_ids: [used.id] });
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
    expect((await readSession(service, key, ready.id)).body.intake_session).toEqual(ready);
  });

  test('422 invalid_request: a file of another account', async () => {
    const { service, key } = studio;
    const { key: eve } = await newCustomer(service);
    const foreign = await newFile(service, eve, someBytes());
    const ready = await readySession(service, key);
    const { status, body } = await confirm(service, key, ready.id, { file_ids: [foreign.id] });
    expect([status, body.error.code]).toEqual([422, 'invalid_request']);
  });

  test('422 idempotency_key_conflict: the key with another body', async () => {
    const { service, key } = studio;
    const ready = await readySession(service, key);
    expect((await confirm(service, key, ready.id, { brief_version: 1 }, 'k')).status).toBe(201);
    const { status, body } = await confirm(service, key, ready.id, {}, 'k');
    expect([status, body.error.code]).toEqual([422, 'idempotency_key_conflict']);
  });

  test('403 csrf_token_invalid: a cookie without its token', async () => {
    const { service, ada } = studio;
    const ready = await readySession(service, ada);
    const answer = await confirm(service, { cookie: ada.cookie }, ready.id);
    expect([answer.status, answer.body.error.code]).toEqual([403, 'csrf_token_invalid']);
  });
});

describe('orders that wait for a person', () => {
  test('403 confirmation_required: the conversation stays ready, and is confirmed by an owner or admin', async () => {
    const { service } = studio;
    const { person: owner } = await newCustomer(service, 'studio');
    const maker = await addMaker(service, owner);
    const ready = await readySession(service, maker.token);
    const { status, body } = await confirm(service, maker.token, ready.id);
    expect([status, body.error.code]).toEqual([403, 'confirmation_required']);
    expect((await readSession(service, maker.token, ready.id)).body.intake_session.status).toBe('brief_ready');
    expect(await activeJobsOf(service, owner)).toBe(0);
  });

  test('403 limit_reached: twenty orders wait already', async () => {
    const { service } = studio;
    const { person: owner } = await newCustomer(service, 'studio');
    const maker = await addMaker(service, owner);
    for (let n = 0; n < 20; n++) await newOrder(service, maker);
    const ready = await readySession(service, maker.token);
    const { status, body } = await confirm(service, maker.token, ready.id);
    expect([status, body.error.code]).toEqual([403, 'limit_reached']);
  });
});
