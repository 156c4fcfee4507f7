import { sql } from 'kysely';
import type { Static } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobEvent } from '../../contract/jobs/events.ts';
import { newFile, presign, someBytes, unknownFile } from '../../test/support/files.ts';
import {
  activeJobsOf,
  createJob,
  draft,
  makeMoves,
  newCustomer,
  newJob,
  createStudio,
  post,
  readJob,
  setPlan,
  type Studio,
  usedOf,
  uuidOf,
} from '../../test/support/jobs.ts';
import { addMaker, newOrder } from '../../test/support/orders.ts';
import { grant } from '../../test/support/plans.ts';
import { makeKey } from '../../test/support/people.ts';
import { callsTo, type Service } from '../../test/support/harness.ts';
import { createApp } from '../app.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { policy } from '../safety/policy.ts';

let studio: Studio;
let service: Service;
beforeAll(async () => {
  // An app that a test makes on its context ends its streams when it closes.
  studio = await createStudio();
  service = studio.service;
});
afterAll(() => service.close());

const jobsOf = async (as: string) => (await service.call('GET', '/api/v1/jobs?limit=100', { as })).body.jobs;
const isId = expect.stringMatching(/^job_[0-9a-z]{26}$/);

describe('what is made', () => {
  test('201 with id, status queued, relative links and guidance, and nothing else', async () => {
    const { status, body, headers } = await createJob(service, studio.key);
    const self = `/api/v1/jobs/${body.job?.id}`;
    expect(status).toBe(201);
    expect(headers.has('idempotent-replayed')).toBe(false);
    expect(body).toEqual({
      job: {
        id: isId,
        status: 'queued',
        links: {
          self,
          events: `${self}/events`,
          approve: `${self}/approve`,
          cancel: `${self}/cancel`,
          revision: `${self}/revision`,
        },
      },
      next_action: expect.stringContaining(`/api/v1/events?job_id=${body.job.id}&types=`),
    });
  });

  test('201 counts the job once: ledger, period and active jobs', async () => {
    const { person, key } = await newCustomer(service, 'agent');
    await newJob(service, key);
    expect(await usedOf(service, person)).toEqual({ agent: 1 });
    expect(await activeJobsOf(service, person)).toBe(1);
  });

  test.each([
    ['dashboard', () => studio.ada.token],
    ['dashboard', () => ({ cookie: studio.ada.cookie })],
    ['api', () => studio.key],
  ])('201 with source %s', async (source, as) => {
    const id = await newJob(service, as());
    expect((await readJob(service, studio.key, id)).job.source).toBe(source);
  });

  test('201 trims the title and keeps every other character of it and of the instructions', async () => {
    const words = 'e\u0301 \u00e9 👩‍👩‍👧 ❤️ “A4/A5” سلام https://rise.example 𝒳';
    const id = await newJob(service, studio.key, {
      customer_title: `  ${words}\u2003`,
      customer_instructions: ` \t${words}\u202e\u200b\r\n\u0001 `,
    });
    const { job } = await readJob(service, studio.key, id);
    expect(job.customer_title).toBe(words);
    expect(job.customer_instructions).toBe(` \t${words}\u202e\u200b\r\n\u0001 `);
  });

  test('201 at the bounds: 200 and 20,000 code points', async () => {
    const big = { customer_title: '𝒳'.repeat(200), customer_instructions: '𝒳'.repeat(20_000) };
    const { job } = await readJob(service, studio.key, await newJob(service, studio.key, big));
    expect(job).toMatchObject(big);
  });

  test('201 with due_at after the turnaround of the option', async () => {
    const { job } = await readJob(service, studio.key, await newJob(service, studio.key));
    expect(Date.parse(job.due_at) - Date.parse(job.created_at)).toBe(72 * 3600_000);
    expect(job.review_due_at).toBeNull();
  });
});

describe('Idempotency-Key', () => {
  test('200 replays the same body and makes nothing more, whatever the order of the fields', async () => {
    const { person, key } = await newCustomer(service, 'agent');
    const first = await createJob(service, key, {}, 'k');
    const reversed = Object.fromEntries(Object.entries(draft).toReversed());
    const second = await post(service, key, '/api/v1/jobs', reversed, 'k');
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await jobsOf(key)).toHaveLength(1);
    expect(await usedOf(service, person)).toEqual({ agent: 1 });
  });

  test('200 for every caller of the account, and also when nothing more could be created', async () => {
    const { person, key } = await newCustomer(service, 'studio');
    await setPlan(service, person, 'studio', { quota: 1 });
    const first = await createJob(service, key, {}, 'k');
    expect((await createJob(service, person.token, {}, 'k')).body).toEqual(first.body);
    await setPlan(service, person, 'studio', { status: 'canceled' });
    expect((await createJob(service, await makeKey(service, person), {}, 'k')).status).toBe(200);
    expect((await createJob(service, key, {}, 'other')).status).toBe(403);
  });

  test('200 replays status queued after the job has moved on', async () => {
    const { body } = await createJob(service, studio.key, {}, 'went-on');
    await makeMoves(studio, body.job.id, 'accept');
    expect((await createJob(service, studio.key, {}, 'went-on')).body).toEqual(body);
  });

  test('200 to all but one of those that arrive at the same time', async () => {
    const { person, key } = await newCustomer(service, 'agent');
    const answers = await Promise.all(Array.from({ length: 12 }, () => createJob(service, key, {}, 'same')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(11).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body.job.id)).size).toBe(1);
    expect(await usedOf(service, person)).toEqual({ agent: 1 });
  });

  test('201 in another account and on another path: a key belongs to account, method and path', async () => {
    const other = await newCustomer(service, 'agent');
    const mine = await createJob(service, studio.key, {}, 'shared');
    const theirs = await createJob(service, other.key, { customer_title: 'Another body' }, 'shared');
    const moved = await post(service, studio.key, mine.body.job.links.cancel, undefined, 'shared');
    expect([mine.status, theirs.status, moved.status]).toEqual([201, 201, 200]);
    expect(theirs.body.job.id).not.toBe(mine.body.job.id);
  });

  test.each([
    [200, 29],
    [201, 31],
  ])('%i with a key that was used %i days ago', async (status, days) => {
    const { key } = await newCustomer(service, 'agent');
    const name = `${days}-days`;
    const first = await createJob(service, key, {}, name);
    await sql`update idempotency_keys set created_at = created_at - make_interval(days => ${days}::int)
      where key = ${name}`.execute(service.context.db);
    const changes = status === 201 ? { customer_title: 'Something new' } : {};
    const second = await createJob(service, key, changes, name);
    expect(second.status).toBe(status);
    expect(second.body.job.id === first.body.job.id).toBe(status === 200);
    expect((await createJob(service, key, changes, name)).body).toEqual(second.body);
  });

  test('422 idempotency_key_conflict: the same key with another body', async () => {
    const { key } = await newCustomer(service, 'agent');
    await createJob(service, key, {}, 'k');
    const { status, body } = await createJob(service, key, { customer_title: 'Another title' }, 'k');
    expect([status, body.error.code]).toEqual([422, 'idempotency_key_conflict']);
    expect(await jobsOf(key)).toHaveLength(1);
  });

  test('201 after the cause of a refusal is fixed: refusals are not remembered', async () => {
    const { person, key } = await newCustomer(service, 'agent');
    await setPlan(service, person, 'agent', { quota: 0 });
    expect((await createJob(service, key, {}, 'again')).status).toBe(403);
    expect((await createJob(service, key, { service_type: 'nothing' }, 'again')).status).toBe(422);
    await setPlan(service, person, 'agent', { quota: 1 });
    expect((await createJob(service, key, {}, 'again')).status).toBe(201);
  });

  test.each(['x', '~!"quoted"', 'k'.repeat(255)])('201 with the key %s', async (name) => {
    expect((await createJob(service, studio.key, {}, name)).status).toBe(201);
    expect((await createJob(service, studio.key, {}, name)).status).toBe(200);
  });

  test.each(['', 'k'.repeat(256), 'two words', 'k\u00e9', 'k, k'])(
    '422 invalid_request: Idempotency-Key %j',
    async (name) => {
      const { status, body } = await createJob(service, studio.key, {}, name);
      expect([status, body.error.code, body.error.details[0].location]).toEqual([
        422,
        'invalid_request',
        'Idempotency-Key',
      ]);
    },
  );
});

describe('Idempotency-Key after the studio changed what it takes', () => {
  const everything = { id: 'all', description: 'anything', patterns: /./gu, unless: null };
  const refused = async (asked: ReturnType<typeof createJob>) => (await asked).body.error?.code;
  const changes: [string, string, Partial<Catalog>, (typeof policy)[number][]][] = [
    ['took the option out of the catalog', 'unsupported_service', { families: new Map() }, []],
    ['excluded the request by its policy', 'unsafe_request', {}, [everything]],
  ];

  test.each(changes)('200 replays what was made before it %s', async (_, code, change, exclusions) => {
    const { key } = await newCustomer(service, 'agent');
    const other = await newCustomer(service, 'agent');
    const file_ids = [(await newFile(service, key, Buffer.from('a source'))).id];
    const first = await createJob(service, key, {}, 'k');
    const filed = await createJob(service, key, { file_ids }, 'files');
    const { context } = service;
    const altered = { ...context, catalog: { ...context.catalog, ...change } };
    const app = await createApp({ ...altered, current: () => ({ ...context, ...altered }) });
    const changed = { ...service, call: callsTo(await app.listen({ host: '127.0.0.1', port: 0 })) };
    policy.push(...exclusions);
    const [second, again] = [
      await createJob(changed, key, {}, 'k'),
      await createJob(changed, key, { file_ids }, 'files'),
    ];
    for (const { status, headers } of [second, again])
      expect([status, headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect([second.body, again.body]).toEqual([first.body, filed.body]);
    expect(await refused(createJob(changed, key, { customer_title: 'Other' }, 'k'))).toBe('idempotency_key_conflict');
    expect(await refused(createJob(changed, key, {}, 'new'))).toBe(code);
    expect(await refused(createJob(changed, key))).toBe(code);
    expect(await refused(createJob(changed, other.key, {}, 'k'))).toBe(code);
    expect(await jobsOf(key)).toHaveLength(2);
    policy.length -= exclusions.length;
    await app.close();
  });
});

describe('access', () => {
  const refusal = async (as: Parameters<typeof createJob>[1]) => {
    const { status, body } = await createJob(service, as);
    return `${status} ${body.error?.code ?? 'created'}`;
  };

  test('403 entitlement_required: no plan at all', async () => {
    const { person, key } = await newCustomer(service);
    expect([await refusal(person.token), await refusal(key)]).toEqual(Array(2).fill('403 entitlement_required'));
  });

  test('403 entitlement_required and quota_exceeded name the page of the plans, and when quota is granted again', async () => {
    const { person, key } = await newCustomer(service);
    const none = await createJob(service, key);
    const account = (await service.call('GET', '/api/v1/me', { as: key })).body.account.id;
    const url = `${service.context.publicUrl}/plans?for=design.logo&by=agent&account=${account}`;
    expect(none.body.error.details).toEqual([
      { location: 'plan', message: expect.stringMatching(/start a plan/), url },
    ]);
    await grant(service, person, 'agent');
    await setPlan(service, person, 'agent', { quota: 0, endsIn: 5 });
    const { body } = await createJob(service, key);
    const resets_at = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(body.error).toMatchObject({ code: 'quota_exceeded', details: [{ location: 'plan', url, resets_at }] });
    const ahead = (Date.parse(body.error.details[0].resets_at) - Date.now()) / 3_600_000;
    expect(ahead).toBeCloseTo(5, 1);
  });

  test.each([
    ['ends', { ends_at: new Date(Date.now() + 3_600_000) }],
    ['has a paused payment', { collection_paused: true }],
    ['is overdue', { status: 'past_due' }],
  ] as const)('403 quota_exceeded: no new period is promised for a plan that %s', async (_name, change) => {
    const { person, key } = await newCustomer(service, 'agent');
    await setPlan(service, person, 'agent', { quota: 0, endsIn: 5, ...change });
    const { error } = (await createJob(service, key)).body;
    expect([error.code, error.details[0].resets_at]).toEqual(['quota_exceeded', undefined]);
  });

  test('403 entitlement_required: an agent plan does not serve a session, nor a human plan a key', async () => {
    const agent = await newCustomer(service, 'agent');
    const solo = await newCustomer(service, 'solo');
    expect(await refusal(agent.person.token)).toBe('403 entitlement_required');
    expect(await refusal(agent.person)).toBe('403 entitlement_required');
    expect(await refusal(agent.key)).toBe('201 created');
    expect(await refusal(solo.key)).toBe('403 entitlement_required');
    expect(await refusal(solo.person.token)).toBe('201 created');
  });

  test.each([
    ['active', 1, '201 created'],
    ['active', -23.9, '201 created'],
    ['active', -24.1, '403 entitlement_required'],
    ['past_due', 1, '201 created'],
    ['past_due', -0.1, '403 entitlement_required'],
    ['paused', 1, '403 entitlement_required'],
    ['canceled', 1, '403 entitlement_required'],
  ] as const)('201 or 403 entitlement_required: %s, its period ends in %d h → %s', async (status, endsIn, outcome) => {
    const { person, key } = await newCustomer(service, 'agent');
    await setPlan(service, person, 'agent', { status, endsIn });
    expect(await refusal(key)).toBe(outcome);
  });

  test('403 quota_exceeded: exactly the quota is granted, also to concurrent creates', async () => {
    const { person, key } = await newCustomer(service, 'agent');
    await setPlan(service, person, 'agent', { quota: 3 });
    const answers = await Promise.all(Array.from({ length: 9 }, () => refusal(key)));
    expect(answers.toSorted()).toEqual([...Array(3).fill('201 created'), ...Array(6).fill('403 quota_exceeded')]);
    expect(await usedOf(service, person)).toEqual({ agent: 3 });
    expect(await jobsOf(key)).toHaveLength(3);
  });

  test('403 quota_exceeded: comes before concurrency_limit_exceeded', async () => {
    const { person, key } = await newCustomer(service, 'agent');
    await setPlan(service, person, 'agent', { quota: 1, concurrency_limit: 1 });
    await newJob(service, key);
    expect(await refusal(key)).toBe('403 quota_exceeded');
  });

  test('403 concurrency_limit_exceeded: until a job has ended', async () => {
    const { person, key } = await newCustomer(service, 'agent');
    await setPlan(service, person, 'agent', { concurrency_limit: 2 });
    const [first] = [await newJob(service, key), await newJob(service, key)];
    expect(await refusal(key)).toBe('403 concurrency_limit_exceeded');
    await post(service, key, `/api/v1/jobs/${first}/cancel`);
    expect(await refusal(key)).toBe('201 created');
    expect(await refusal(key)).toBe('403 concurrency_limit_exceeded');
  });

  test('403 concurrency_limit_exceeded: the limit is the sum over all active plans, against all active jobs', async () => {
    const { person, key } = await newCustomer(service, 'solo', 'agent');
    await setPlan(service, person, 'solo', { concurrency_limit: 1 });
    await setPlan(service, person, 'agent', { concurrency_limit: 1 });
    await newJob(service, person.token);
    await newJob(service, person.token);
    expect(await refusal(person.token)).toBe('403 concurrency_limit_exceeded');
    expect(await refusal(key)).toBe('403 concurrency_limit_exceeded');
    expect(await usedOf(service, person)).toEqual({ solo: 2, agent: 0 });
    await setPlan(service, person, 'agent', { concurrency_limit: 2 });
    expect(await refusal(key)).toBe('201 created');
    await setPlan(service, person, 'agent', { status: 'canceled', concurrency_limit: 9 });
    expect(await refusal(person.token)).toBe('403 concurrency_limit_exceeded');
  });

  test('201 charges the plan with room whose period ends first', async () => {
    const { person, key } = await newCustomer(service, 'agent', 'studio');
    await setPlan(service, person, 'agent', { endsIn: 100 });
    await setPlan(service, person, 'studio', { endsIn: 50, quota: 2 });
    const payers = [];
    for (let n = 0; n < 3; n++) {
      const { job } = await readJob(service, key, await newJob(service, key));
      payers.push(job.plan_code);
    }
    expect(payers).toEqual(['studio', 'studio', 'agent']);
    expect(await usedOf(service, person)).toEqual({ studio: 2, agent: 1 });
  });

  test('201 charges each job of a batch to a plan that has room', async () => {
    const { person, key } = await newCustomer(service, 'agent', 'studio');
    await setPlan(service, person, 'agent', { endsIn: 50, quota: 2 });
    await setPlan(service, person, 'studio', { quota: 4 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => refusal(key)));
    expect(answers.filter((answer) => answer === '201 created')).toHaveLength(6);
    expect(await usedOf(service, person)).toEqual({ agent: 2, studio: 4 });
  });
});

describe('the draft', () => {
  const refusal = async (changes: object) => {
    const { status, body } = await createJob(service, studio.key, changes);
    return { status, code: body.error?.code, error: body.error };
  };

  test('422 unsupported_service: an unknown family or option', async () => {
    for (const changes of [
      { service_family: 'cooking' },
      { service_type: 'cooking' },
      { service_type: 'blog_article' },
    ])
      expect(await refusal(changes)).toMatchObject({ status: 422, code: 'unsupported_service' });
  });

  test('422 unsafe_request: one of our own keys in the text is not repeated', async () => {
    const { error, ...refused } = await refusal({ customer_instructions: `Use ${studio.key} please` });
    expect(refused).toEqual({ status: 422, code: 'unsafe_request' });
    expect(JSON.stringify(error)).not.toContain(studio.key.split('_')[2]);
    expect(error.message).toMatch(/API key/i);
  });

  test('422 invalid_request: fields that the server owns are unknown, and named', async () => {
    for (const field of ['account_id', 'status', 'id', 'usage', 'created_at', 'file_names', 'x"y'])
      expect((await refusal({ [field]: 'x' })).error).toMatchObject({
        code: 'invalid_request',
        details: [{ location: `/${field}` }],
      });
  });

  test.each([
    [{ customer_title: '' }],
    [{ customer_title: ' \u2003 ' }],
    [{ customer_title: 'x'.repeat(201) }],
    [{ customer_title: 'tab\there' }],
    [{ customer_title: 'x\u0085' }],
    [{ customer_title: 'a \u202e gro.elpmaxe' }],
    [{ customer_title: '\u2066a' }],
    [{ customer_title: 'zero\u200bwidth' }],
    [{ customer_title: 'two\u2028lines' }],
    [{ customer_title: 'tagged\u{e0041}' }],
    [{ customer_title: 'joined\u200dletters' }],
    [{ customer_instructions: ' \n ' }],
    [{ customer_instructions: '𝒳'.repeat(20_001) }],
    [{ customer_instructions: 'nul\u0000' }],
    [{ customer_instructions: 'lone \ud800' }],
  ])('422 invalid_request: %j', async (changes) => {
    const { status, code, error } = await refusal(changes);
    expect([status, code]).toEqual([422, 'invalid_request']);
    expect(error.details[0].location).toBe(`/${Object.keys(changes)[0]}`);
  });
});

describe('with files', () => {
  const bytes = Buffer.from('a source');
  const create = (file_ids: unknown, as = studio.key, key?: string) => createJob(service, as, { file_ids }, key);

  test('201 attaches them with an event each; 200 on a replay, with nothing more', async () => {
    const ids = [(await newFile(service, studio.key, bytes)).id, (await newFile(service, studio.key, bytes)).id];
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(ids, studio.key, 'files-once')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 9 }, () => 200), 201]);
    expect(new Set(answers.map(({ body }) => body.job.id)).size).toBe(1);
    const { job, events } = await readJob(service, studio.key, answers[0]?.body.job.id);
    expect(job.files.map(({ id }: { id: string }) => id).toSorted()).toEqual(ids.toSorted());
    expect(events.map(({ seq, type, job: { status } }: Static<typeof JobEvent>) => [seq, type, status])).toEqual([
      [1, 'job.created', 'queued'],
      [2, 'job.file_attached', 'queued'],
      [3, 'job.file_attached', 'queued'],
    ]);
  });

  test('200 on a replay after the file was deleted', async () => {
    const { id } = await newFile(service, studio.key, bytes);
    const first = await create([id], studio.key, 'file-gone');
    const { db } = service.context;
    const gone = { status: 'deleted' as const, deleted_at: sql<Date>`now()` };
    await db.updateTable('files').set(gone).where('id', '=', uuidOf('file', id)).execute();
    const second = await create([id], studio.key, 'file-gone');
    expect([second.status, second.body]).toEqual([200, first.body]);
  });

  test('201 with no file at all', async () => {
    expect((await create([])).status).toBe(201);
  });

  test('422 invalid_request: every file that is unknown or another account’s, and no job is made', async () => {
    const { key, person } = await newCustomer(service, 'agent');
    const foreign = (await newFile(service, studio.key, bytes)).id;
    const own = (await newFile(service, key, bytes)).id;
    for (const id of [foreign, unknownFile, 'x']) {
      const { status, body } = await create([own, id], key);
      expect([status, body.error.code, body.error.details[0].location]).toEqual([
        422,
        'invalid_request',
        '/file_ids/1',
      ]);
    }
    expect(await jobsOf(key)).toEqual([]);
    expect(await usedOf(service, person)).toEqual({ agent: 0 });
    expect(await activeJobsOf(service, person)).toBe(0);
    expect((await create([own], key)).status).toBe(201);
  });

  test('422 invalid_request: not uploaded yet, already part of a job, named twice', async () => {
    const pending = (await presign(service, studio.key, bytes)).body.file.id;
    const taken = (await newFile(service, studio.key, bytes)).id;
    await create([taken]);
    for (const ids of [[pending], [taken], [pending, pending], 'x', [1]]) {
      const { status, body } = await create(ids);
      expect([status, body.error.code]).toEqual([422, 'invalid_request']);
    }
  });

  test('of ten creates at once that name one file, one is admitted', async () => {
    const { key, person } = await newCustomer(service, 'agent');
    const file = (await newFile(service, key, bytes)).id;
    const answers = await Promise.all(Array.from({ length: 10 }, () => create([file], key)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 9 }, () => 422)]);
    expect(await usedOf(service, person)).toEqual({ agent: 1 });
    expect(await activeJobsOf(service, person)).toBe(1);
  });

  test('403 entitlement_required: without a plan; preflight and intent check take the same body', async () => {
    const { key } = await newCustomer(service);
    const file = (await newFile(service, key, bytes)).id;
    expect((await create([file], key)).body.error.code).toBe('entitlement_required');
    for (const path of ['/api/v1/jobs/preflight', '/api/v1/catalog/intent-check'])
      expect((await post(service, studio.key, path, { ...draft, file_ids: [] })).status).toBe(200);
  });
});

describe('Prefer: return=representation', () => {
  const ask = (prefer: string, key: string) =>
    service.call('POST', '/api/v1/jobs', { as: studio.key, body: draft, headers: { prefer, 'idempotency-key': key } });

  test('201 with the whole job, as reading it answers', async () => {
    const { status, body, headers } = await ask('respond-async, Return="representation"; x=1', 'whole');
    expect([status, headers.get('preference-applied')]).toEqual([201, 'return=representation']);
    expect(headers.get('location')).toBe(`/api/v1/jobs/${body.job.id}`);
    expect(body.job).toEqual((await readJob(service, studio.key, body.job.id)).job);
    expect(body.next_action).toContain('GET /api/v1/events');
  });

  test('200 of a replay with the whole job as it is now; without the preference with three fields', async () => {
    const { body } = await createJob(service, studio.key, {}, 'replayed');
    await post(service, studio.key, `/api/v1/jobs/${body.job.id}/cancel`);
    const replay = await ask('return=representation', 'replayed');
    expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(replay.body.job).toMatchObject({
      id: body.job.id,
      status: 'canceled',
      customer_title: draft.customer_title,
    });
    const plain = await createJob(service, studio.key, {}, 'replayed');
    expect(plain.body).toEqual(body);
  });

  test.each(['return=minimal', 'representation', 'return=minimal, return=representation', ''])(
    '201 with three fields: %s',
    async (prefer) => {
      const { status, body, headers } = await ask(prefer, `not ${prefer}`.replace(/\W/g, '-'));
      expect([status, headers.get('preference-applied')]).toEqual([201, null]);
      expect(Object.keys(body.job)).toEqual(['id', 'status', 'links']);
    },
  );
});

describe('orders that wait for a person', () => {
  test('403 confirmation_required: nothing is created, also with files', async () => {
    const { person: owner } = await newCustomer(service, 'studio');
    const maker = await addMaker(service, owner);
    const file = await newFile(service, maker.token, someBytes());
    for (const changes of [{}, { file_ids: [file.id] }]) {
      const { status, body } = await createJob(service, maker.token, changes);
      expect([status, body.error.code]).toEqual([403, 'confirmation_required']);
    }
    expect(await activeJobsOf(service, owner)).toBe(0);
  });

  test('403 limit_reached: twenty wait already', async () => {
    const { person: owner } = await newCustomer(service, 'studio');
    const maker = await addMaker(service, owner);
    for (let n = 0; n < 20; n++) await newOrder(service, maker);
    const { status, body } = await createJob(service, maker.token);
    expect([status, body.error.code]).toEqual([403, 'limit_reached']);
  });
});
