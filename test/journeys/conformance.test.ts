import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { verifyPrices } from '../../server/billing/verify-prices.ts';
import { docsOf } from '../../contract/shapes.ts';
import type { Plan } from '../../server/catalog/catalog.ts';
import { complete, newFile, presign, put, reachable, someBytes, unknownFile } from '../support/files.ts';
import {
  createJob,
  createStudio,
  draft,
  newCustomer,
  newJob,
  newJobIn,
  post,
  readJob,
  setPlan,
  type Studio,
  uuidOf,
} from '../support/jobs.ts';
import { addMember, makeKey } from '../support/people.ts';
import { seconds, sendEvent, subscriptionEvent } from '../support/plans.ts';
import { type As, createService, type Service } from '../support/harness.ts';

/** What an outside judge of the running service found, each as it was found: none of it may come back. */
let studio: Studio;
let service: Service;
beforeAll(async () => {
  studio = await createStudio();
  service = studio.service;
});
afterAll(() => service.close());

const get = (path: string, as: As = studio.key) => service.call('GET', path, { as });
const bytes = someBytes(10);

describe('times', () => {
  test.each([
    '2026-11-21T10:00:00.000Z',
    '2026-11-21T10:00Z',
    '2026-11-21T10:00%2B02:00',
    '2026-11-21T10:00+02:00',
    '2026-11-21T10:00:00.123456-05:30',
    '2026-11-21T10:00:00+0000',
    '2026-11-21T10:00:00-0530',
    '2026-11-21T10:00:00+02',
    '20261121T100000Z',
    '20261121T1000+0200',
    '2026-11-21t10:00:00z',
    '2026-11-21T10:00:00,5Z',
  ])('a request may say %s', async (time) => {
    for (const query of [`jobs?created_after=${time}`, `usage?period_start=${time}`, `jobs?created_before=${time}`])
      expect((await get(`/api/v1/${query}`)).status, query).toBe(200);
  });

  test('an offset counts', async () => {
    const { key } = await newCustomer(service, 'studio');
    const id = await newJob(service, key);
    await sql`update jobs set created_at = '2026-03-01T09:00:00Z' where id = ${uuidOf('job', id)}`.execute(
      service.context.db,
    );
    const count = async (query: string) => (await get(`/api/v1/jobs?${query}`, key)).body.jobs.length;
    expect(await count('created_after=2026-03-01T10:00+01:00')).toBe(1);
    expect(await count('created_after=2026-03-01T10:00Z')).toBe(0);
    expect(await count('created_before=2026-03-01T10:00+01:00')).toBe(0);
    expect(await count('created_after=20260301T100000+01&created_before=20260301T100001%2B0100')).toBe(1);
  });

  test.each([
    '2026-11-21T10:00',
    '2026-11-21',
    '2026-02-30T10:00Z',
    '2026-11-21T10:00:00+25:00',
    '20260230T100000Z',
    '2026-11-21T10:00:00+02:',
  ])('400 for %s', async (time) => {
    expect((await get(`/api/v1/jobs?created_after=${time}`)).status).toBe(400);
  });
});

describe('files', () => {
  test.each(['TEXT/PLAIN', 'text/plain; charset=utf-8', ' Text/Plain ;charset="utf-8"'])(
    '%j is text/plain',
    async (type) => {
      const { upload: _, ...file } = await newFile(service, studio.key, bytes, { content_type: type });
      expect(file).toMatchObject({ content_type: 'text/plain', status: 'uploaded' });
    },
  );

  test('a dead upload URL is replaced by complete', async () => {
    const { body } = await presign(service, studio.key, bytes);
    const age = sql`update files set created_at = now() - interval '16 minutes' where id = ${uuidOf('file', body.file.id)}`;
    await age.execute(service.context.db);
    const { status, body: late } = await complete(service, studio.key, body.file.id);
    expect([status, late.error.code]).toEqual([409, 'upload_incomplete']);
    expect(Date.parse(late.error.upload.expires_at)).toBeGreaterThan(Date.now());
    await put(service, late.error.upload, bytes);
    expect((await complete(service, studio.key, body.file.id)).status).toBe(200);
  });

  test('the upload URL is dead once the file is complete, or deleted', async () => {
    const { upload } = await newFile(service, studio.key, bytes);
    const waiting = (await presign(service, studio.key, bytes)).body;
    await service.call('DELETE', `/api/v1/files/${waiting.file.id}`, { as: studio.key });
    for (const { url, headers } of [upload, waiting.upload]) {
      const answer = await fetch(reachable(service, url), { method: 'PUT', headers, body: bytes });
      const { error } = (await answer.json()) as { error: { code: string } };
      expect([answer.status, error.code]).toEqual([403, 'signed_url_invalid']);
    }
  });
});

describe('preflight', () => {
  const ask = async (as: As, changes: object = {}) =>
    post(service, as, '/api/v1/jobs/preflight', { ...draft, ...changes });

  test('tells the rate of the key that asks', async () => {
    const { account, key } = service.context.config.rates.create_job;
    const shown = (limit?: { limit: number; windowSeconds: number }) =>
      limit && { limit: limit.limit, window_seconds: limit.windowSeconds };
    const policy = { route: 'POST /api/v1/jobs', account: shown(account), checked_without_consuming: true };
    const said = async (as: As) => (await ask(as)).body.preflight.rate_limit_policy;
    expect(await said(studio.key)).toEqual({ ...policy, key: shown(key) });
    expect(await said(studio.ada.token)).toEqual({ ...policy, key: null });
  });

  test('takes the very body of create, and says of its files what create does', async () => {
    const file = await newFile(service, studio.key, bytes);
    const free = await ask(studio.key, { file_ids: [file.id] });
    expect(free.body.preflight.blocking_reasons.map(({ code }: { code: string }) => code)).toEqual([
      'intake_incomplete',
    ]);
    const unknown = { file_ids: [unknownFile] };
    for (const { status, body } of [await ask(studio.key, unknown), await createJob(service, studio.key, unknown)])
      expect([status, body.error.code, body.error.details[0].location]).toEqual([
        422,
        'invalid_request',
        '/file_ids/0',
      ]);
    await createJob(service, studio.key, { file_ids: [file.id] });
    const taken = [
      await ask(studio.key, { file_ids: [file.id] }),
      await createJob(service, studio.key, { file_ids: [file.id] }),
    ];
    for (const { status, body } of taken) expect([status, body.error.code]).toEqual([422, 'invalid_request']);
    const check = await post(service, null, '/api/v1/catalog/intent-check', { ...draft, file_ids: [unknownFile] });
    expect(check.status).toBe(200);
  });

  test('names the kind of plan that is missing, and so does create', async () => {
    const { person, key } = await newCustomer(service, 'solo');
    const { person: other } = await newCustomer(service, 'agent');
    const said = [
      [key, 'API keys'],
      [other.token, 'sessions'],
    ] as const;
    for (const [as, kind] of said) {
      const refused = (await createJob(service, as)).body.error;
      expect(refused).toMatchObject({
        code: 'entitlement_required',
        message: `The account has no active plan that serves ${kind}.`,
      });
      const { code, message, action } = refused;
      expect((await ask(as)).body.preflight.blocking_reasons[0]).toEqual({ code, message, action });
    }
    expect((await createJob(service, person.token)).status).toBe(201);
  });
});

describe('jobs', () => {
  test('allowed_actions offers no revision without a plan', async () => {
    const id = await newJobIn(studio, 'ready_for_customer_review');
    const { job } = await readJob(service, studio.key, id);
    expect(job.allowed_actions).toEqual(['approve', 'revision']);
    await setPlan(service, studio.ada, 'studio', { status: 'canceled' });
    expect((await readJob(service, studio.key, id)).job.allowed_actions).toEqual(['approve']);
    const { body: list } = await get('/api/v1/jobs?status=ready_for_customer_review');
    expect(list.jobs.find((one: { id: string }) => one.id === id).allowed_actions).toEqual(['approve']);
    const { body: desk } = await get(`/api/operator/v1/jobs/${id}`, studio.operator.token);
    expect(desk.job.allowed_actions).toEqual(['approve']);
    const path = `/api/v1/jobs/${id}/revision`;
    const refused = await post(service, studio.key, path, { customer_instructions: 'Rounder.' });
    expect([refused.status, refused.body.error.code]).toEqual([403, 'entitlement_required']);
    await setPlan(service, studio.ada, 'studio', { status: 'active' });
  });
});

describe('errors', () => {
  test('role_required means a role, and nothing else', async () => {
    const member = await addMember(service, studio.ada, 'member');
    const codes = async (as: As) => (await get('/api/v1/api-keys', as)).body.error.code;
    expect(await codes(member.token)).toBe('role_required');
    expect(await codes(await makeKey(service, studio.ada))).toBe('credential_not_accepted');
    const { db } = service.context;
    await db.updateTable('sessions').set({ account_id: null }).where('id', '=', member.sessionId).execute();
    expect(await codes(member.token)).toBe('no_active_account');
    expect((await get('/api/operator/v1/jobs', studio.ada.token)).body.error.code).toBe('role_required');
    expect((await get('/api/operator/v1/jobs')).body.error.code).toBe('credential_not_accepted');
  });

  test('docs leads to the page of the code, as HTML and as Markdown', async () => {
    const { error } = (await get('/api/v1/jobs/nonsense')).body;
    expect(error.docs).toBe(docsOf('job_not_found', service.context.publicUrl));
    const address = service.url + new URL(error.docs).pathname;
    expect(await (await fetch(address)).text()).toContain('<h1>job_not_found</h1>');
    const markdown = await fetch(address, { headers: { accept: 'text/markdown' } });
    expect(await markdown.text()).toMatch(/^# job_not_found\n/);
  });

  test('the document says what any route refuses, and the bounds of Idempotency-Key', () => {
    const { components, paths } = JSON.parse(
      readFileSync(new URL('../../client/openapi.json', import.meta.url), 'utf8'),
    );
    for (const operation of Object.values(paths).flatMap((path) => Object.values(path as object)))
      expect(operation.responses.default, operation.operationId).toEqual({ $ref: '#/components/responses/default' });
    for (const status of [400, 401, 403, 409, 413, 415, 422, 429, 431, 500, 503])
      expect(components.responses.default.description).toContain(`- ${status}: `);
    const key = components.parameters['Idempotency-Key'];
    expect(key.schema).toMatchObject({ minLength: 1, maxLength: 255, pattern: '^[!-~]+$' });
    const { NewJob } = components.schemas;
    const { CustomerTitle, CustomerInstructions } = components.schemas;
    const texts = { ...NewJob.properties, CustomerTitle, CustomerInstructions };
    for (const [name, { pattern }] of Object.entries<{ pattern?: string }>(texts))
      if (pattern !== undefined) expect(new RegExp(pattern, 'u').test('a\0b'), name).toBe(false);
    expect(NewJob.properties.service_family.pattern).toBeDefined();
  });
});

describe('usage', () => {
  test('a range is named', async () => {
    const range = async (query: string) => (await get(`/api/v1/usage${query}`)).body.usage.range;
    expect(await range('')).toBeNull();
    expect(await range('?period_start=2026-03-01T01:00+01:00&period_end=2026-04-01T00:00Z')).toEqual({
      start: '2026-03-01T00:00:00.000Z',
      end: '2026-04-01T00:00:00.000Z',
    });
    expect(await range('?period_end=2026-04-01T00:00Z')).toEqual({ start: null, end: '2026-04-01T00:00:00.000Z' });
  });

  test('after an upgrade on one subscription what was used before counts under the new code', async () => {
    const { person, key } = await newCustomer(service, 'agent');
    await newJob(service, key);
    const { body } = await post(service, person.token, '/api/checkout/portal');
    const page = service.url + new URL(body.portal.url).pathname;
    const [, action] = /action="([^"]+change\/studio)"/.exec(await (await fetch(page)).text()) ?? [];
    expect((await fetch(service.url + action, { method: 'POST', redirect: 'manual' })).status).toBe(303);
    await newJob(service, key);
    const { usage } = (await get('/api/v1/usage', key)).body;
    expect(usage.summaries.by_entitlement).toEqual([{ key: 'studio', quantity: 2, quota: 500, remaining: 498 }]);
    const { entitlements } = (await get('/api/v1/entitlements', key)).body;
    expect(entitlements).toMatchObject([{ plan_code: 'studio', used: 2, remaining: 498 }]);
  });
});

describe('payments', () => {
  test('a process whose provider is away does not close the checkout that another has verified', async () => {
    await verifyPrices(service.context);
    const away = await createService({ LOG_LEVEL: 'fatal' }, { databaseUrl: service.databaseUrl });
    vi.spyOn(away.context.provider, 'findPrice').mockRejectedValue(new Error('connect ECONNREFUSED'));
    const { body } = await verifyPrices(away.context);
    expect(body.checkout_available).toBe(true);
    const { person } = await newCustomer(service);
    const start = (at: Service) => post(at, person.token, '/api/checkout/tier', { plan_code: 'solo' });
    expect((await start(service)).status).toBe(201);
    await away.close();
  });

  test('a reviewed event of the same second keeps its own place in the order of receipt', async () => {
    const { person, key } = await newCustomer(service, 'agent');
    const { db, catalog } = service.context;
    const customer = `cus_sandbox_${person.accountId.replaceAll('-', '')}`;
    const { subscription } = await db
      .selectFrom('entitlements')
      .select('subscription')
      .where('account_id', '=', person.accountId)
      .executeTakeFirstOrThrow();
    const created = seconds(Date.now()) + 60;
    const names = { accountId: person.accountId, customer, subscription };
    const send = (tier: string, id: string) =>
      sendEvent(service, subscriptionEvent(service, names, tier, { id, created }));
    expect((await send('agent', `evt_first_${person.userId}`)).body.status).toBe('processed');
    const studioPlan = catalog.plans.get('studio');
    const sold = catalog.plans as Map<string, Plan>;
    sold.delete('studio');
    const later = `evt_second_${person.userId}`;
    const price = {
      id: studioPlan?.price.id,
      product: studioPlan?.price.product,
      unit_amount: studioPlan?.price.unit_amount,
    };
    const event = subscriptionEvent(service, names, 'studio', {
      id: later,
      created,
      object: { items: { data: [{ price }] } },
    });
    expect((await sendEvent(service, event)).body.status).toBe('ignored');
    if (studioPlan) sold.set('studio', studioPlan);
    const path = `/api/operator/v1/provider-events/${later}/review`;
    const { body } = await post(service, studio.operator.token, path);
    expect(body.provider_event.outcome).toBe('processed');
    expect((await get('/api/v1/me', key)).body.entitlement_summary.plan_codes).toEqual(['studio']);
  });
});

test('the script of /docs runs without unsafe-inline', async () => {
  const page = await fetch(`${service.url}/docs/`);
  expect(/script-src ([^;]*)/.exec(page.headers.get('content-security-policy') ?? '')?.[1]).not.toContain('unsafe');
});
