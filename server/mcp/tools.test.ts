import { createHash } from 'node:crypto';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '@modelcontextprotocol/client';
import packed from '../../client/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { endpoints } from '../../contract/openapi.ts';
import { docsOf } from '../../contract/shapes.ts';
import { version } from '../lib/version.ts';
import { newApp, serveDocuments } from '../../test/support/app-documents.ts';
import { connectApp } from '../../test/support/apps.ts';
import { createWorld, goodBodies, prefixOf, type World } from '../../test/support/every-endpoint.ts';
import { newFile } from '../../test/support/files.ts';
import type { Got } from '../../test/support/harness.ts';
import { readySession } from '../../test/support/intake.ts';
import { newJobIn } from '../../test/support/jobs.ts';
import { call, connect, connectOld } from '../../test/support/mcp.ts';
import { hasProof } from '../../test/support/proof.ts';
import { type Family, ThinCatalog, thinFamily } from './thin-catalog.ts';
import { inToolWords } from './call.ts';
import { listTools, type ToolEndpoint, toolEndpoints } from './tools.ts';

let world: World;
let client: Client;
let eveApp: string;
beforeAll(async () => {
  world = await createWorld({ WEBHOOK_ALLOW: '127.0.0.1' });
  client = await connect(world.service, world.key);
  const documents = await serveDocuments();
  const scopes = ['api:read', 'api:write'];
  const painter = newApp(documents.at('painter.json'));
  eveApp = (await connectApp(world.service, world.eve, painter, { scopes })).access_token;
  documents.close();
});
afterAll(async () => {
  await client.close();
  await world.service.close();
});

/** Sends a tool's arguments to the route it is made from. */
function viaRoute(endpoint: ToolEndpoint, args: Record<string, unknown>, key = world.key): Promise<Got> {
  const { service } = world;
  const { idempotency_key, ...fields } = { ...endpoint.tool.defaults, ...args };
  let path = endpoint.path;
  if (endpoint.tool.id) {
    path = path.replace('{id}', String(fields[endpoint.tool.id]));
    delete fields[endpoint.tool.id];
  }
  const ofQuery = Object.keys(endpoint.query?.properties ?? {});
  const isQuery = (name: string) => endpoint.method === 'GET' || ofQuery.includes(name);
  const entries = Object.entries(fields);
  const query = entries
    .filter(([name]) => isQuery(name))
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  if (query.length > 0) path += `?${query.join('&')}`;
  const body = Object.fromEntries(entries.filter(([name]) => !isQuery(name)));
  const headers: Record<string, string> =
    typeof idempotency_key === 'string' ? { 'idempotency-key': idempotency_key } : {};
  return endpoint.method === 'GET'
    ? service.call('GET', path, { as: key })
    : service.call(endpoint.method, path, { as: key, headers, ...(endpoint.body ? { body } : {}) });
}

/** Both doors say the same, each in its own words. */
const inOneWords = (name: string, value: unknown): unknown =>
  typeof value === 'string' && ['action', 'next_action'].includes(name)
    ? inToolWords(value)
    : name === 'service_families' &&
        (value as Family[]).every((family) => family.service_options.every((option) => option.intake_requirements))
      ? (value as Family[]).map(thinFamily)
      : value;

/** Removes what differs between two equivalent calls. */
const comparable = (body: unknown, omitted: string[] = []): unknown =>
  JSON.parse(
    JSON.stringify(body, (name, value: unknown) =>
      ['links', ...omitted].includes(name) ? undefined : inOneWords(name, value),
    )
      .replaceAll(/\b([a-z]+)_[0-9a-z]{26}\b/g, '$1_…')
      .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'time')
      .replaceAll(/\bafter=\d+/g, 'after=…')
      .replaceAll(/"(url|retry_at)":"[^"]*"/g, '"$1":"…"')
      .replaceAll(`"docs":"${world.service.context.publicUrl}`, '"docs":"'),
  );

/** Ends the jobs that tests left open, because an account's active jobs are limited. */
async function endJobs(): Promise<void> {
  const { service, key } = world;
  for (let page: Got['body'] = {}; page.next_cursor !== null;) {
    const after = page.next_cursor ? `&cursor=${page.next_cursor}` : '';
    const open = 'status=queued,accepted,running,needs_review,ready_for_customer_review';
    page = (await service.call('GET', `/api/v1/jobs?${open}&limit=100${after}`, { as: key })).body;
    for (const { id, status } of page.jobs) {
      const move = status === 'ready_for_customer_review' ? 'approve' : 'cancel';
      if (id !== world.ids['job']) await service.call('POST', `/api/v1/jobs/${id}/${move}`, { as: key });
    }
  }
}

let keys = 0;
const newKey = () => `key-${keys++}`;

/** Valid arguments for each tool; called once for the tool and once for its route. */
const good: Record<string, () => Promise<Record<string, unknown>> | Record<string, unknown>> = {
  get_catalog: () => ({}),
  list_plans: () => ({}),
  get_account: () => ({}),
  get_usage: () => ({ period_start: '2026-01-01T00:00:00.000Z', job_id: world.ids['job'] }),
  check_intent: () => ({ ...goodBodies['checkIntent'] }),
  preflight_job: () => ({ ...goodBodies['preflightJob'] }),
  create_job: () => ({ ...goodBodies['createJob'], idempotency_key: newKey() }),
  list_jobs: () => ({ status: ['queued', 'completed'], limit: 1 }),
  get_job: () => ({ job_id: world.ids['job'] }),
  update_job: () => ({ job_id: world.ids['job'], ...goodBodies['updateJob'] }),
  wait_for_events: () => ({ after: 0, limit: 2, job_id: world.ids['job'] }),
  list_messages: () => ({ job_id: world.ids['job'], limit: 1 }),
  send_message: () => ({ job_id: world.ids['job'], text: 'The dark green, please.', idempotency_key: newKey() }),
  approve_job: async () => ({
    job_id: await newJobIn(world, 'ready_for_customer_review'),
    round: 0,
    idempotency_key: newKey(),
  }),
  cancel_job: async () => ({ job_id: await newJobIn(world, 'queued') }),
  request_revision: async () => ({
    job_id: await newJobIn(world, 'ready_for_customer_review'),
    round: 0,
    ...goodBodies['requestRevision'],
  }),
  create_upload: () => ({ ...goodBodies['presignUpload'], idempotency_key: newKey() }),
  create_text_file: () => ({ ...goodBodies['createTextFile'], idempotency_key: newKey() }),
  complete_upload: async () => ({ file_id: (await newFile(world.service, world.key, Buffer.from('hello'))).id }),
  get_download: () => ({ file_id: world.ids['file'] }),
  open_intake: () => ({ ...goodBodies['openIntake'] }),
  send_intake_message: async () => ({ session_id: await newSession(), content: 'A logo, please.' }),
  answer_brief: async () => ({ session_id: await newSession(), ...goodBodies['answerIntake'] }),
  read_intake: () => ({ session_id: world.ids['ise'] }),
  confirm_brief: async () => {
    const { id, intent_brief } = await readySession(world.service, world.key);
    return { session_id: id, brief_version: intent_brief.version };
  },
};

const nowhere = { service_family: 'nowhere', service_type: 'nothing' };
const secret = { customer_instructions: 'The card is 4242 4242 4242 4242.' };

/** Arguments that each tool reads but refuses by a rule of its own, with the code. */
const refused: Record<
  string,
  [code: string, args: () => Promise<Record<string, unknown>> | Record<string, unknown>][]
> = {
  get_catalog: [['invalid_request', () => ({ service_family: 'nowhere' })]],
  get_usage: [['job_not_found', () => ({ job_id: 'job_01jd3vsh8xe7rtx1zqbdnzc4v0' })]],
  check_intent: [['unsupported_service', () => ({ ...goodBodies['checkIntent'], ...nowhere })]],
  preflight_job: [['unsafe_request', () => ({ ...goodBodies['preflightJob'], ...secret })]],
  create_job: [
    ['unsupported_service', () => ({ ...goodBodies['createJob'], ...nowhere, idempotency_key: newKey() })],
    ['unsafe_request', () => ({ ...goodBodies['createJob'], ...secret, idempotency_key: newKey() })],
    ['invalid_request', () => ({ ...goodBodies['createJob'], file_ids: [noFile], idempotency_key: newKey() })],
  ],
  list_plans: [['invalid_request', () => ({ cursor: 'not a cursor' })]],
  list_jobs: [['invalid_request', () => ({ cursor: 'not a cursor' })]],
  get_job: [['job_not_found', () => ({ job_id: 'no id' })]],
  update_job: [
    ['job_not_found', () => ({ job_id: 'no id', reference: 'PO-7' })],
    ['invalid_transition', async () => ({ job_id: await newJobIn(world, 'canceled'), reference: 'PO-7' })],
    ['unsafe_request', () => ({ job_id: world.ids['job'], metadata: { note: secret.customer_instructions } })],
  ],
  wait_for_events: [['cursor_expired', () => ({ after: 999_999_999 })]],
  list_messages: [['job_not_found', () => ({ job_id: 'no id' })]],
  send_message: [
    ['job_not_found', () => ({ job_id: 'no id', text: 'Hello?', idempotency_key: newKey() })],
    [
      'invalid_request',
      () => ({ job_id: world.ids['job'], text: 'See.', file_ids: [noFile], idempotency_key: newKey() }),
    ],
  ],
  approve_job: [
    ['invalid_request', async () => ({ job_id: await newJobIn(world, 'running'), round: 0 })],
    ['delivery_changed', async () => ({ job_id: await newJobIn(world, 'running'), round: 1 })],
  ],
  cancel_job: [['job_not_cancelable', async () => ({ job_id: await newJobIn(world, 'completed') })]],
  request_revision: [
    [
      'revision_unavailable',
      async () => ({ job_id: await newJobIn(world, 'running'), round: 0, ...goodBodies['requestRevision'] }),
    ],
  ],
  create_upload: [
    [
      'unsupported_file',
      () => ({ ...goodBodies['presignUpload'], content_type: 'application/x-msdownload', idempotency_key: newKey() }),
    ],
  ],
  create_text_file: [
    ['unsafe_request', () => ({ file_name: 'a.txt', text: secret.customer_instructions, idempotency_key: newKey() })],
  ],
  complete_upload: [['upload_incomplete', async () => ({ file_id: await newPendingFile() })]],
  get_download: [
    ['file_not_found', () => ({ file_id: noFile })],
    ['unsupported_file', async () => ({ file_id: await newPdf(), inline: true })],
  ],
  open_intake: [['unsupported_service', () => nowhere]],
  send_intake_message: [
    ['unsafe_request', async () => ({ session_id: await newSession(), content: secret.customer_instructions })],
  ],
  answer_brief: [
    ['invalid_request', async () => ({ session_id: await newSession(), requirement: 'Brand name', accept: true })],
  ],
  read_intake: [['intake_session_not_found', () => ({ session_id: 'ise_01jd3vsh8xe7rtx1zqbdnzc4v0' })]],
  confirm_brief: [['intake_session_conflict', async () => ({ session_id: await newSession(), brief_version: 1 })]],
};

const noFile = 'file_01jd3vsh8xe7rtx1zqbdnzc4v0';

async function newPendingFile(): Promise<string> {
  return (await call(client, 'create_upload', await good['create_upload']!())).body.file.id;
}

async function newPdf(): Promise<string> {
  const type = { content_type: 'application/pdf', file_name: 'guide.pdf' };
  return (await newFile(world.service, world.key, Buffer.from('%PDF-1.7'), type)).id;
}

async function newSession(): Promise<string> {
  return (await call(client, 'open_intake', goodBodies['openIntake'])).body.intake_session.id;
}

const tools = [...toolEndpoints];

describe('a tool answers what its route answers', () => {
  test.each(tools)('%s, with what it takes', async (name, endpoint) => {
    const [told, got] = [await call(client, name, await good[name]!()), await viaRoute(endpoint, await good[name]!())];
    expect(told.isError).toBe(false);
    const omitted = endpoint.tool.omits ?? [];
    for (const left of ['links', ...omitted]) expect(JSON.stringify(told.body)).not.toContain(`"${left}"`);
    expect(comparable(told.body)).toEqual(comparable(got.body.error ?? got.body, omitted));
  });

  test.each(tools)('%s, with what it does not take', async (name, endpoint) => {
    const args = { ...(await good[name]!()), nonsense: 'x' };
    const told = await call(client, name, args);
    if (endpoint.method === 'GET') {
      expect(told.body.message).toBe('nonsense: is not a known parameter'); // some routes ignore it
    } else {
      const got = await viaRoute({ ...endpoint, body: endpoint.body ?? (args as never) }, args);
      expect(comparable(told.body)).toEqual(comparable(got.body.error));
    }
    expect(told).toMatchObject({ isError: true, body: { code: 'invalid_request' } });
  });

  test('each tool that has refusals of its own is tried with one', () => {
    const own = tools.filter(([, { errors }]) => Object.keys(errors).length > 0).map(([name]) => name);
    expect(Object.keys(refused).toSorted()).toEqual(own.toSorted());
  });

  const refusals = Object.entries(refused).flatMap(([name, cases]) =>
    cases.map(([code, args]) => ({ name, code, args })),
  );
  test.each(refusals)('$name: $code', async ({ name, code, args }) => {
    const told = await call(client, name, await args());
    const got = await viaRoute(toolEndpoints.get(name)!, await args());
    expect(told).toMatchObject({ isError: true, body: { code, action: expect.any(String) } });
    expect(comparable(told.body)).toEqual(comparable(got.body.error));
  });

  describe.each([
    ['a key of another account', () => world.eveKey],
    ['a key that may only read', () => world.readKey],
    ['an app of another account', () => eveApp],
  ])('to %s', (_, keyOf) => {
    let other: Client;
    beforeAll(async () => void (other = await connect(world.service, keyOf())));
    afterAll(() => other.close());

    test.each(tools)('%s', async (name, endpoint) => {
      const id = world.ids[prefixOf(endpoint) ?? ''];
      const args = async () =>
        id === undefined
          ? good[name]!()
          : {
              [endpoint.tool.id ?? 'id']: id,
              ...(endpoint.tool.needs ? { round: 0 } : {}),
              ...goodBodies[endpoint.operationId],
              ...(endpoint.tool.repeat === 'by_key' ? { idempotency_key: newKey() } : {}),
            };
      const told = await call(other, name, await args());
      const got = await viaRoute(endpoint, await args(), keyOf());
      const { error } = got.body;
      expect(comparable(told.body)).toEqual(error ? comparable(error) : comparable(got.body, endpoint.tool.omits));
    });
  });

  test('null changes nothing, since hosts send it for what a model left out; an empty text clears', async () => {
    const job_id = await newJobIn(world, 'queued');
    await call(client, 'update_job', { job_id, reference: 'PO-7', wanted_by: '2999-01-15T12:00:00Z' });
    const left = await call(client, 'update_job', { job_id, reference: null, wanted_by: null, metadata: null });
    expect(left.body.job).toMatchObject({ reference: 'PO-7', wanted_by: '2999-01-15T12:00:00.000Z' });
    const { body } = await call(client, 'update_job', { job_id, reference: '', wanted_by: '' });
    expect(body.job).toMatchObject({ reference: null, wanted_by: null });
  });

  test('the concierge names a tool for a route, and repeats the words of the customer as they are', async () => {
    const session_id = await newSession();
    const say = async (content: string) =>
      (await call(client, 'send_intake_message', { session_id, content })).body.message.content;
    expect(await say('Which file types can I upload?')).toContain('those of create_upload.');
    const words = 'GET /users returns JSON, POST /api/v1/jobs needs an Idempotency-Key';
    expect(await say(`Brand name: ${words}`)).toContain(words);
  });

  test('create_job without idempotency_key is refused: a repeat would make a second job', async () => {
    expect(await call(client, 'create_job', goodBodies['createJob'])).toMatchObject({
      isError: true,
      body: { code: 'invalid_request', details: [{ location: '/idempotency_key' }] },
    });
  });

  test('a key without the right to create jobs learns that first', async () => {
    const reader = await connect(world.service, world.readKey);
    const told = await call(reader, 'create_job', goodBodies['createJob']);
    expect(told).toMatchObject({ isError: true, body: { code: 'insufficient_scope' } });
    await reader.close();
  });

  test.each(['', 'two words', 'é', 7, null])(
    'idempotency_key %j is refused by the name that it has here',
    async (key) => {
      const told = await call(client, 'create_job', { ...goodBodies['createJob'], idempotency_key: key });
      expect(told.body).toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(/^\/idempotency_key: /),
        details: [{ location: '/idempotency_key' }],
      });
    },
  );

  test('an id under another name is named beside the one that is required', async () => {
    expect((await call(client, 'get_job', { id: world.ids['job'] })).body).toMatchObject({
      code: 'invalid_request',
      message: 'job_id: is required; id: is not a known parameter',
      details: [{ location: 'job_id' }, { location: 'id' }],
    });
  });

  test('an error links to its documentation with an absolute address', async () => {
    const { body } = await call(client, 'get_job', { job_id: 'job_none' });
    expect(body.docs).toBe(docsOf('job_not_found', world.service.context.publicUrl));
  });

  test.each([
    ['get_job', {}],
    ['get_job', { job_id: 5 }],
    ['list_jobs', { limit: {} }],
    ['list_jobs', { limit: 1.5 }],
    ['list_jobs', { status: [null] }],
    ['wait_for_events', { wait: 26 }],
    ['get_account', { idempotency_key: 'x' }],
    ['create_job', { ...goodBodies['createJob'], idempotency_key: 7 }],
  ])('%s %j: invalid_request', async (name, args) => {
    expect(await call(client, name, args)).toMatchObject({ isError: true, body: { code: 'invalid_request' } });
  });

  test('a job of another account is not found', async () => {
    const eve = await connect(world.service, world.eveKey);
    const told = await call(eve, 'get_job', { job_id: world.ids['job'] });
    expect(told).toMatchObject({
      isError: true,
      body: { code: 'job_not_found', request_id: expect.stringMatching(/^req_/) },
    });
    await eve.close();
  });
});

/** Every description of a schema. */
const textsOf = (schema: unknown): string[] =>
  Object.entries(Object(schema) as Record<string, unknown>).flatMap(([word, value]) =>
    word === 'description' && typeof value === 'string' ? [value] : typeof value === 'object' ? textsOf(value) : [],
  );

test('the server, the package and the client have one version', () => {
  expect(client.getServerVersion()?.version).toBe(version);
  expect([manifest.version, packed.version]).toEqual([version, version]);
});

describe('the list', () => {
  beforeAll(endJobs);

  test('each tool is an endpoint for callers or the public, with all four annotations', () => {
    const offered = endpoints.filter(({ tool }) => tool);
    expect(offered.length).toBe(25);
    expect(offered.filter(({ auth }) => auth !== 'caller' && auth !== 'public')).toEqual([]);
    const annotated = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
    for (const { annotations } of listTools({ readOnly: false, withOutput: false }))
      expect(Object.keys(annotations ?? {})).toEqual(annotated);
  });

  test('each required field is described, in what a tool takes and in what it answers', () => {
    for (const { name, inputSchema, outputSchema } of listTools({ readOnly: false, withOutput: true }))
      for (const schema of [inputSchema, outputSchema])
        expect(Object.keys(schema?.properties ?? {}), name).toEqual(
          expect.arrayContaining((schema?.required ?? []) as string[]),
        );
  });

  test('an id in the path has the name of what it identifies', () => {
    for (const { params, tool } of toolEndpoints.values())
      expect(Boolean(tool.id), tool.name).toBe(params !== undefined);
  });

  test('no text names a header, a status code or a method of HTTP', () => {
    const methods = /\b(?:GET|POST|PUT|PATCH|DELETE|HTTP)\b|\/api\//;
    const headers = /\bheaders?\b|\bE[Tt]ag\b|\b[A-Z][a-z]+-[A-Z][a-z]+\b|[Rr]epeat the parameter/;
    const statuses = /\b(?:30[1-8]|40\d|41\d|42\d|50[1-4])\b/;
    for (const { name, title, description, inputSchema } of listTools({ readOnly: false, withOutput: false }))
      for (const text of [title, description, ...textsOf(inputSchema)])
        for (const words of [methods, headers, statuses]) expect(text, name).not.toMatch(words);
  });

  test('no field of path, query and body has the name of another', () => {
    for (const { params, query, body, tool } of toolEndpoints.values()) {
      const names = [params, query, body].flatMap((place) => Object.keys(place?.properties ?? {}));
      expect([...new Set(names)], tool.name).toEqual(names);
    }
  });

  test('a key that may only read is shown reading tools only, and told why if it calls another', async () => {
    const reader = await connect(world.service, world.readKey);
    const { tools: shown } = await reader.listTools();
    expect(shown.map(({ name }) => name)).toEqual(
      tools.filter(([, { tool }]) => tool.hint === 'read').map(([name]) => name),
    );
    for (const { name } of shown)
      expect((await call(reader, name, await good[name]!())).body.code, name).toBeUndefined();
    const refused = await call(reader, 'create_job', { ...goodBodies['createJob'], idempotency_key: 'r' });
    expect(refused).toMatchObject({ isError: true, body: { code: 'insufficient_scope' } });
    await reader.close();
  });

  test('with output=1 both clients hold each answer against its schema', async () => {
    for (const open of [connect, ...(hasProof ? [connectOld] : [])]) {
      const tested = await open(world.service, world.key, '/mcp?output=1');
      const { tools: listed } = await tested.listTools();
      expect(listed.every(({ outputSchema }) => outputSchema?.type === 'object')).toBe(true);
      for (const [name] of tools) {
        expect((await call(tested, name, await good[name]!())).isError, name).toBe(false);
      }
      const { body: short } = await call(tested, 'get_catalog');
      for (const { id: service_family } of short.index) {
        const { body } = await call(tested, 'get_catalog', { service_family });
        for (const answer of [short, body]) expect(Value.Errors(ThinCatalog, answer)).toEqual([]);
      }
      const shown = JSON.stringify(listed.find(({ name }) => name === 'get_catalog')?.outputSchema);
      for (const name of ['index', 'kind', 'choices']) expect(shown).toContain(`"${name}":`);
      await tested.close();
    }
  });

  test('it is what was read and meant, for each account: nothing that anybody wrote can change it', async () => {
    const hash = async (key: string) => {
      const other = await connect(world.service, key);
      const listed = JSON.stringify([(await other.listTools()).tools, other.getInstructions()]);
      await other.close();
      return createHash('sha256').update(listed).digest('hex');
    };
    // Changed on purpose? Read the new list as a model would, then write down its hash.
    expect(await hash(world.key)).toBe('e1e784f266ca1069cbbfa7c8bb557302b147c54cd45086428d27addbb1026fc1');
    expect(await hash(world.eveKey)).toBe(await hash(world.key));
  });
});

test('what is left out of an answer is never a key of the customer’s metadata', async () => {
  const client = await connect(world.service, world.key);
  const metadata = { request_id: 'ours', files: 'ours', docs: 'ours' };
  const { job } = (await call(client, 'create_job', { ...goodBodies.createJob, metadata, idempotency_key: 'metadata' }))
    .body;
  const { body: read } = await call(client, 'get_job', { job_id: job.id });
  expect(read.job.metadata).toEqual(metadata);
  const { body: canceled } = await call(client, 'cancel_job', { job_id: job.id, idempotency_key: 'metadata' });
  expect(canceled.job.metadata).toEqual(metadata);
  expect(read.events.every((event: object) => !('request_id' in event))).toBe(true);
});
