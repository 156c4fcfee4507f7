import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../contract/endpoint.ts';
import { endpoints } from '../../contract/openapi.ts';
import { readId } from '../../server/lib/id.ts';
import {
  ask,
  createWorld,
  pathFor,
  said,
  sendTo,
  titled,
  type World,
  writingNothing,
} from '../support/every-endpoint.ts';
import type { Got } from '../support/harness.ts';
import { post, setPlan } from '../support/jobs.ts';
import { makeOperator, signUp } from '../support/people.ts';
import { bookFaults } from '../support/seed.ts';
import { byNature, remembered, type Scene } from '../support/scenes.ts';
import { sweep, sweepUnchanged } from '../support/sweep.ts';
import { isRaw } from '../support/swept.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await setPlan(world.service, world.ada, 'studio', { quota: 10_000, concurrency_limit: 10_000 });
});
afterAll(() => world.service.close());

const changing = endpoints.filter(({ method }) => method === 'POST' || method === 'PATCH');
const remembering = changing.filter(({ idempotent }) => typeof idempotent === 'number');
const repeatable = changing.filter((endpoint) => endpoint.idempotent === 'by_nature' && !isRaw(endpoint));
const refusing = changing.filter(({ idempotent }) => idempotent === 'refused');
const names = (some: readonly Endpoint[]) => some.map(({ operationId }) => operationId).toSorted();

const send = (endpoint: Endpoint, { as, id, more, body }: Scene, key: string): Promise<Got> =>
  sendTo(world.service, endpoint, pathFor(endpoint, id, more), {
    as,
    headers: { 'idempotency-key': key },
    ...(body ? { body } : {}),
  });

/** Everything that an answer holds and nothing may store. */
const secrets = new Set<string>();
function collectSecrets({ body }: Got): void {
  const signature = body.upload && new URL(body.upload.url).searchParams.get('signature');
  for (const secret of [body.plaintext_key, body.secret, body.token, body.lease?.token, signature])
    if (typeof secret === 'string') secrets.add(secret);
}

/** What a repeat answers, by the first answer: everything but its secret, with how to replace that. */
function repeatOf({ body }: Got): unknown {
  const shownOnce = ['plaintext_key', 'secret', 'token', 'url'].filter((field) => field in body);
  if (shownOnce.length === 0) return body;
  for (const field of shownOnce) expect(body[field]).toEqual(expect.any(String));
  const missing = Object.fromEntries(shownOnce.map((field) => [field, null]));
  return { ...body, ...missing, next_action: expect.stringMatching(/shown once.+ (POST|DELETE) \/api\//) };
}

/** Rows that only grow, one for each thing that happened. */
async function happenings(): Promise<Record<string, number>> {
  const counts = ['audit_log', 'events', 'mails', 'jobs', 'files', 'intake_messages', 'api_keys', 'worker_keys'].map(
    async (table) => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`.execute(
        world.service.context.db,
      );
      return [table, rows[0]?.n ?? 0] as const;
    },
  );
  return Object.fromEntries(await Promise.all(counts));
}

async function added(run: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await happenings();
  await run();
  const after = await happenings();
  return Object.fromEntries(Object.entries(after).map(([table, n]) => [table, n - (before[table] ?? 0)]));
}

test('every POST and PATCH says what it does with an Idempotency-Key, and has a scene here if it takes one', () => {
  expect(names(changing.filter(({ idempotent }) => idempotent === undefined))).toEqual([]);
  expect(names(remembering)).toEqual(Object.keys(remembered).toSorted());
  expect(names(repeatable)).toEqual(Object.keys(byNature).toSorted());
  expect(names(endpoints.filter((one) => one.idempotent !== undefined && !changing.includes(one)))).toEqual([]);
});

describe('with the same key', () => {
  sweep(
    'a repeat changes nothing again, and answers the same without secrets',
    titled(remembering),
    async (endpoint) => {
      const scene = await remembered[endpoint.operationId]!(world);
      const key = randomUUID();
      const first = await send(endpoint, scene, key);
      expect(first.status, JSON.stringify(first.body)).toBeLessThan(300);
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      collectSecrets(first);
      await writingNothing(world.service, async () => {
        const again = await send(endpoint, scene, key);
        expect(again.status).toBe(endpoint.operationId === 'createJob' ? 200 : first.status);
        expect(again.headers.get('idempotent-replayed')).toBe('true');
        expect(again.body).toEqual(repeatOf(first));
        expect(scene.other !== undefined, 'another body to be refused').toBe(endpoint.body !== undefined);
        if (!scene.other) return;
        const other = await send(endpoint, { ...scene, body: scene.other }, key);
        expect(said(other)).toBe('422 idempotency_key_conflict');
      });
    },
  );

  sweep('two requests at the same moment take effect once', titled(remembering), async (endpoint) => {
    const alone = await remembered[endpoint.operationId]!(world);
    const once = await added(() => send(endpoint, alone, randomUUID()));
    const scene = await remembered[endpoint.operationId]!(world);
    const key = randomUUID();
    let answers: Got[] = [];
    const both = await added(async () => {
      answers = await Promise.all([send(endpoint, scene, key), send(endpoint, scene, key)]);
    });
    expect(both).toEqual(once);
    const first = answers.find(({ headers }) => headers.get('idempotent-replayed') === null);
    const repeat = answers.find(({ headers }) => headers.get('idempotent-replayed') === 'true');
    expect(first?.status).toBeLessThan(300);
    expect(repeat?.body).toEqual(repeatOf(first!));
    collectSecrets(first!);
  });

  sweep('a repeat changes nothing again by nature', titled(repeatable), async (endpoint) => {
    const scene = await byNature[endpoint.operationId]!(world);
    const withoutTimes = ({ status, body: { download, preflight, ...body } }: Got) => {
      const [{ url: _url, expires_at: _at, ...signed }, { first_delivery_at: _planned, ...judged }] = [
        download ?? {},
        preflight ?? {},
      ];
      return { status, signed, judged, body };
    };
    const first = await send(endpoint, scene, 'same');
    expect(first.status).toBe(200);
    await writingNothing(world.service, async () => {
      expect(withoutTimes(await send(endpoint, scene, 'same'))).toEqual(withoutTimes(first));
    });
  });

  sweepUnchanged(
    '422 idempotency_key_not_accepted',
    () => world.service,
    titled(refusing),
    async (endpoint) => {
      const answer = await ask(world, endpoint, { headers: { 'idempotency-key': 'any' } });
      expect(said(answer)).toBe('422 idempotency_key_not_accepted');
    },
  );
});

describe('a key belongs to its caller', () => {
  test('two people, and two operators, use the same one', async () => {
    const { service, operator } = world;
    const people = await Promise.all([signUp(service), signUp(service)]);
    const opened = [];
    for (const { token } of people)
      opened.push(await post(service, token, '/api/auth/accounts', { name: 'New' }, 'one'));
    expect(new Set(opened.map(({ body }) => body.account.id)).size).toBe(2);
    const path = '/api/operator/v1/worker-keys';
    const made = [];
    for (const { token } of [operator, await makeOperator(service)])
      made.push(await post(service, token, path, { name: 'robot' }, 'one'));
    expect(new Set(made.map(({ body }) => body.worker_key.id)).size).toBe(2);
  });

  test('a refusal is not remembered: the same request works once its cause is mended', async () => {
    const { service } = world;
    const { token, userId } = await signUp(service);
    const open = () => post(service, token, '/api/auth/accounts', { name: 'New' }, 'mended');
    const verified = (email_verified: boolean) =>
      service.context.db.updateTable('people').set({ email_verified }).where('id', '=', userId).execute();
    await verified(false);
    expect(said(await open())).toBe('403 email_unverified');
    await verified(true);
    expect((await open()).status).toBe(201);
  });
});

/** Every text and JSON column of the database that holds one of these texts. */
async function columnsWith(texts: string[]): Promise<string[]> {
  const { db } = world.service.context;
  const { rows: columns } = await sql<{ name: string; column: string }>`
    select format('%I.%I', table_schema, table_name) as name, format('%I', column_name) as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema() and table_type = 'BASE TABLE'
      and data_type in ('text', 'json', 'jsonb', 'ARRAY', 'character varying')`.execute(db);
  expect(columns.length).toBeGreaterThan(100);
  const holding: string[] = [];
  for (const { name, column } of columns) {
    const { rows } = await sql`
      select from ${sql.raw(name)} t, unnest(${texts}::text[]) as texts (looked_for)
      where strpos((t.${sql.raw(column)})::text, looked_for) > 0 limit 1`.execute(db);
    if (rows.length > 0) holding.push(`${name}.${column}`);
  }
  return holding;
}

test('no secret of these answers is in any text of the database', async () => {
  expect(secrets.size).toBeGreaterThan(10);
  const endpoint = await world.service.call('GET', '/api/v1/webhook-endpoints', { as: world.ada.token });
  const control = endpoint.body.webhook_endpoints[0].id;
  await post(world.service, world.ada.token, `/api/v1/webhook-endpoints/${control}/test`, {}, 'control');
  expect(await columnsWith([control])).toContain('public.idempotency_keys.answer');
  expect(await columnsWith([...secrets])).toEqual([]);
});

test('after all these requests and their repeats, the judge finds no contradiction', async () => {
  const { db } = world.service.context;
  // The world has a comment that no revision sent.
  await db
    .deleteFrom('job_comments')
    .where('id', '=', readId('cmt', world.ids.cmt ?? ''))
    .execute();
  expect(await bookFaults(db)).toEqual([]);
});
