import Type from 'typebox';
import { beforeAll, describe, expect, test } from 'vitest';
import { Closed, Nullable } from '../../contract/shapes.ts';
import { newFile, someBytes } from '../../test/support/files.ts';
import { draft, newJobIn, sharedStudio, type Studio } from '../../test/support/jobs.ts';
import { sendMessage } from '../../test/support/mcp.ts';
import { ask } from '../../test/support/talk.ts';
import { readArguments } from './read-arguments.ts';
import { listTools, type ToolEndpoint, toolEndpoints } from './tools.ts';

let studio: Studio;
beforeAll(async () => void (studio = await sharedStudio()));

const version = { 'mcp-protocol-version': '2025-11-25' };
const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
};
const usage = { method: 'tools/call', params: { name: 'get_usage', arguments: {} } };

describe('whatever a client says that it accepts', () => {
  const json = /^application\/json/;
  const stream = /^text\/event-stream/;
  // `accept: ''` stands for none: fetch would send one of its own.
  test.each([
    ['', json, json],
    ['application/json', json, json],
    ['*/*', json, json],
    ['application/*', json, json],
    ['text/html', json, json],
    ['application/json, text/event-stream;q=0', json, json],
    ['text/event-stream', stream, stream],
    ['application/json, text/event-stream', stream, json],
    ['text/event-stream, application/json', stream, json],
  ])('%j is served', async (accept, form, plainForm) => {
    const { service, key } = studio;
    const answer = async (message: object, headers = {}) => {
      const { status, headers: got, text } = await sendMessage(service, key, message, { accept, ...headers });
      expect(status, text).toBe(200);
      const type = got.get('content-type') ?? '';
      const data = stream.test(type) ? (/^event: message\ndata: (.+)\n\n$/.exec(text)?.[1] ?? '') : text;
      return { type, result: JSON.parse(data).result };
    };
    for (const message of [initialize, { method: 'tools/list' }, usage]) {
      const { type, result } = await answer(message);
      expect(type).toMatch(form);
      expect(result).toBeTruthy();
    }
    const { type, result } = await answer(usage, version);
    expect(type).toMatch(plainForm);
    expect(result.structuredContent.usage).toBeTruthy();
  });

  test('/mcp/ is the same door', async () => {
    const { service, key } = studio;
    const at = { url: `${service.url}/mcp/?x=` }; // sendMessage appends /mcp
    const { status, text } = await sendMessage(at, key, { method: 'tools/list' }, { accept: '*/*' });
    expect([status, JSON.parse(text).result.tools.length]).toEqual([
      200,
      listTools({ readOnly: false, withOutput: false }).length,
    ]);
    const { status: refused, headers } = await sendMessage(at, null, { method: 'tools/list' });
    expect([refused, headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('resource_metadata')]);
  });
});

/** Calls a tool by the fast path and by the SDK, which must say the same. */
async function callRaw(name: string, args: unknown) {
  const params = { name, ...(args === undefined ? {} : { arguments: args }) };
  const answers = [];
  for (const headers of [version, {} as Record<string, string>]) {
    const { status, text } = await sendMessage(
      studio.service,
      studio.key,
      { method: 'tools/call', params },
      { accept: 'application/json', ...headers },
    );
    expect(status, text).toBe(200);
    const { result, error } = JSON.parse(text);
    expect(error).toBeUndefined();
    const body = JSON.parse(result.content[0].text);
    answers.push({ isError: result.isError === true, body });
  }
  const [plain, viaSdk] = answers as [{ isError: boolean; body: any }, { isError: boolean; body: any }]; // oxlint-disable-line typescript/no-explicit-any
  expect(viaSdk.isError).toBe(plain.isError);
  expect(viaSdk.body.code).toBe(plain.body.code);
  return plain;
}

test('next_action has the question of the studio as it was written, and the answer in words of tools', async () => {
  const id = await newJobIn(studio, 'running');
  const question = 'Does GET /api/v1/jobs need an Idempotency-Key?\n\nOr POST /api/v1/jobs?';
  await ask(studio, id, question);
  expect((await callRaw('get_job', { job_id: id })).body.next_action).toBe(
    `The studio asks: ${question}\n\nAnswer with send_message (job_id=${id}) and the clock of the job goes on.`,
  );
});

describe('arguments as hosts of models send them', () => {
  test.each([undefined, null, '', '{}', ' {} ', {}, { arguments: {} }])('%j is none', async (args) => {
    expect((await callRaw('get_usage', args)).body.usage).toBeTruthy();
  });

  test.each([
    [[]],
    [5],
    ['[]'],
    ['get'],
    [true],
    ['{"a":'],
    ['{"__proto__": {}}'],
    [`${'['.repeat(40)}${']'.repeat(40)}`],
  ])('%j is an error with an action, not the words of a validator', async (args) => {
    const { isError, body } = await callRaw('get_usage', args);
    expect(isError).toBe(true);
    expect(body).toMatchObject({
      code: 'invalid_request',
      message: 'arguments: must be an object',
      action: expect.any(String),
    });
  });

  test('null, and an empty text where no text is wanted, leave an optional field out', async () => {
    const nothing = { limit: null, cursor: null, status: null, waiting_on: null, created_after: '', source: '' };
    expect((await callRaw('list_jobs', nothing)).body.jobs).toBeInstanceOf(Array);
    expect((await callRaw('list_jobs', { limit: '' })).isError).toBe(false);
    expect((await callRaw('list_jobs', { cursor: '' })).body.message).toMatch(/^cursor: /);
    const comments = JSON.stringify([{ file_id: 'file_x', text: 'x', at: null }]);
    expect((await callRaw('request_revision', { job_id: 'job_none', round: '0', comments })).body.code).toBe(
      'job_not_found',
    );
  });

  test('null in a required field is refused by its name', async () => {
    const refused = await callRaw('create_job', { ...draft, customer_title: null, idempotency_key: 'null-1' });
    expect(refused.body.details).toEqual([{ location: '/customer_title', message: expect.any(String) }]);
    expect((await callRaw('approve_job', { job_id: 'job_none', round: null })).body.message).toMatch(/^\/?round: /);
  });

  test('lists, objects, numbers and booleans as text are read, and a text stays a text', async () => {
    const { service, key } = studio;
    const file = await newFile(service, key, someBytes());
    const sent = { ...draft, metadata: '{"ticket":"X-1"}', customer_title: '["A"]', customer_instructions: '{"a": 1}' };
    const { body } = await callRaw('create_job', {
      ...sent,
      file_ids: `["${file.id}"]`,
      wanted_by: null,
      idempotency_key: 'text-1',
    });
    const { job } = (await callRaw('get_job', { job_id: body.job.id })).body;
    expect(job).toMatchObject({
      metadata: { ticket: 'X-1' },
      customer_title: '["A"]',
      customer_instructions: '{"a": 1}',
      wanted_by: null,
    });
    expect(job.files.map(({ id }: { id: string }) => id)).toEqual([file.id]);
    expect((await callRaw('list_jobs', { status: '["queued"]', limit: '1' })).body.jobs.length).toBe(1);
    expect((await callRaw('get_download', { file_id: file.id, inline: 'False' })).body.inline).toBeUndefined();
    expect((await callRaw('create_job', { ...draft, file_ids: '[]', idempotency_key: 'text-2' })).isError).toBe(false);
    expect((await callRaw('create_job', { ...draft, file_ids: '', idempotency_key: 'text-3' })).isError).toBe(false);
  });

  const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
  test.each([
    ['file_ids', 'file_x', '/file_ids'],
    ['file_ids', '{}', '/file_ids'],
    ['file_ids', '[[', '/file_ids'],
    ['file_ids', deep, '/file_ids'],
    ['file_ids', '[1]', '/file_ids/0'],
    ['metadata', '[]', '/metadata'],
    ['metadata', '{"a":"1","a":"2"}', '/metadata'],
    ['metadata', '{"__proto__":"1"}', '/metadata'],
    ['metadata', '{"a":1}', '/metadata/a'],
  ])('%s as %j is still refused, by its name', async (field, value, location) => {
    const { body } = await callRaw('create_job', { ...draft, [field]: value, idempotency_key: 'odd-1' });
    expect(body).toMatchObject({ code: 'invalid_request', details: [{ location }] });
  });

  test('null leaves a field out, and an empty text clears where the API takes null', () => {
    const body = Closed({
      wish: Type.Optional(Nullable(Type.String(), 'Null clears it.')),
      text: Type.Optional(Type.String()),
    });
    const endpoint = { ...toolEndpoints.get('get_usage')!, query: undefined, body } as ToolEndpoint;
    expect(readArguments(endpoint, { wish: null, text: null })).toEqual({});
    expect(readArguments(endpoint, { wish: '', text: '' })).toEqual({ wish: null, text: '' });
  });

  test('an empty text clears a reference, by the fast path and by the SDK; it does not clear metadata', async () => {
    const { body } = await callRaw('create_job', { ...draft, metadata: { ticket: 'X-1' }, idempotency_key: 'clear' });
    const job_id = body.job.id;
    for (const headers of [version, {}]) {
      for (const reference of ['PO-7', '']) {
        const params = { name: 'update_job', arguments: { job_id, reference, metadata: '' } };
        const { text } = await sendMessage(studio.service, studio.key, { method: 'tools/call', params }, headers);
        const data = text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? '');
        const { job } = JSON.parse(JSON.parse(data).result.content[0].text);
        expect(job).toMatchObject({ reference: reference || null, metadata: { ticket: 'X-1' } });
      }
    }
  });

  test('an empty text leaves out a filter of a list, and a key that a tool does not need', async () => {
    const nothing = { q: '', reference: '', service_family: '' };
    const { properties = {} } = toolEndpoints.get('list_jobs')!.query ?? {};
    const filters = Object.fromEntries(Object.entries(nothing).filter(([name]) => name in properties));
    expect(Object.keys(filters).length).toBeGreaterThan(0);
    expect((await callRaw('list_jobs', filters)).body.jobs).toBeInstanceOf(Array);
    expect((await callRaw('get_catalog', { service_family: '' })).body.index).toBeInstanceOf(Array);
    const { body } = await callRaw('cancel_job', { job_id: 'job_none', idempotency_key: '' });
    expect(body.code).toBe('job_not_found');
  });

  test('a route takes none of it', async () => {
    const { service, key } = studio;
    for (const odd of [{ file_ids: '[]' }, { metadata: '{}' }, { reference: null }]) {
      const { status } = await service.call('POST', '/api/v1/jobs', { as: key, body: { ...draft, ...odd } });
      expect(status).toBe(422);
    }
  });
});

describe('schemas of what a tool takes', () => {
  const words = ['$ref', '$defs', 'definitions', 'anyOf', 'oneOf', 'allOf', 'not', 'const', 'if', 'then', 'else'];
  const rare = ['patternProperties', 'propertyNames', 'dependentRequired', 'dependentSchemas', 'prefixItems'];
  const refused = new Set([...words, ...rare, 'unevaluatedProperties', 'contains', 'nullable', '$id', '$schema']);

  /** Every word that a host would refuse, with its place. `properties` has names, not words. */
  function faultsIn(schema: unknown, at: string, isNames = false): string[] {
    if (Array.isArray(schema)) return schema.flatMap((part, index) => faultsIn(part, `${at}/${index}`));
    if (typeof schema !== 'object' || schema === null) return [];
    return Object.entries(schema).flatMap(([word, value]: [string, unknown]) => {
      const bad =
        !isNames &&
        (refused.has(word) ||
          (word === 'type' && typeof value !== 'string') ||
          (word === 'items' && Array.isArray(value)) ||
          (word === 'enum' && (value as unknown[]).some((one) => typeof one !== 'string')) ||
          (word === 'format' && value !== 'date-time'));
      return [
        ...(bad ? [`${at}/${word}`] : []),
        ...faultsIn(value, `${at}/${word}`, !isNames && word === 'properties'),
      ];
    });
  }

  test('no tool has a word that hosts refuse', () => {
    for (const { name, description = '', inputSchema } of listTools({ readOnly: false, withOutput: false })) {
      expect(inputSchema.type).toBe('object');
      expect(name).toMatch(/^[a-z_]{1,40}$/);
      expect(description.length).toBeLessThan(1024);
      expect(faultsIn(inputSchema, name)).toEqual([]);
    }
  });

  test('the walk finds such words', () => {
    const bad = {
      properties: { const: { const: 1 }, a: { type: ['string', 'null'], format: 'uri', enum: [1] } },
      anyOf: [],
    };
    expect(faultsIn(bad, '')).toEqual([
      '/properties/const/const',
      '/properties/a/type',
      '/properties/a/format',
      '/properties/a/enum',
      '/anyOf',
    ]);
  });

  test('a value that is the only one is a list of one', () => {
    const [listJobs] = listTools({ readOnly: false, withOutput: false }).filter(({ name }) => name === 'list_jobs');
    expect(listJobs?.inputSchema.properties?.['waiting_on']).toMatchObject({ type: 'string', enum: ['customer'] });
  });
});
