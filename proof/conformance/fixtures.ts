import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type CallToolResult,
  createRequestStateCodec,
  type GetPromptResult,
  inputRequired,
  type InputRequests,
  type InputRequiredResult,
  ProtocolError,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server';
import type { Offer } from '../../server/mcp/offer.ts';

/**
 * The tools, resources and prompts that the public conformance package asks for by name. No product has them: they stand
 * behind our route so that the route can be tested. The names are the package's.
 */

type Answer = CallToolResult | InputRequiredResult;
type Fixture = { inputSchema?: object; answer(context: ServerContext): Answer | Promise<Answer> };

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const sound = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = (words: string) => ({ type: 'text' as const, text: words });
const image = { type: 'image' as const, data: pixel, mimeType: 'image/png' };
const embedded = (uri: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: words },
});
const say = (words: string): CallToolResult => ({ content: [text(words)] });

/** Answers that a client brings back are what an attacker may have written: the state between rounds is signed. */
const states = createRequestStateCodec<{ round: number; name?: string }>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

const askFor = (field: string, type: 'string' | 'boolean') =>
  inputRequired.elicit({
    message: `Your ${field}, please.`,
    requestedSchema: { type: 'object', properties: { [field]: { type } as { type: 'string' } }, required: [field] },
  });
const askModel = () => inputRequired.createMessage({ messages: [{ role: 'user', content: text('?') }], maxTokens: 16 });

/** What the client answered to an input request; undefined where it has not. */
const answered = ({ mcpReq }: ServerContext, name: string) => mcpReq.inputResponses?.[name];
const field = ({ mcpReq }: ServerContext, name: string, of: string) =>
  acceptedContent<Record<string, string | boolean>>(mcpReq.inputResponses, name)?.[of];

async function confirm(context: ServerContext): Promise<Answer> {
  if (field(context, 'confirm', 'ok') !== undefined && context.mcpReq.requestState() !== undefined)
    return say('state-ok');
  return inputRequired({
    inputRequests: { confirm: askFor('ok', 'boolean') },
    requestState: await states.mint({ round: 1 }),
  });
}

async function askTwice(context: ServerContext): Promise<Answer> {
  const { round, name } = context.mcpReq.requestState<{ round: number; name?: string }>() ?? { round: 0 };
  if (round === 2) return say(`${name} likes ${field(context, 'step2', 'color')}`);
  const next = { round: round + 1, name: String(field(context, 'step1', 'name')) };
  const inputRequests =
    round === 0 ? { step1: askFor('name', 'string') } : ({ step2: askFor('color', 'string') } as InputRequests);
  return inputRequired({ inputRequests, requestState: await states.mint(next) });
}

async function askForAll(context: ServerContext): Promise<Answer> {
  const [name, roots] = [field(context, 'user_name', 'name'), answered(context, 'client_roots')];
  if (name !== undefined && roots && answered(context, 'greeting')) return say(`Hello, ${name}`);
  const inputRequests = {
    user_name: askFor('name', 'string'),
    greeting: askModel(),
    client_roots: inputRequired.listRoots(),
  };
  return inputRequired({ inputRequests, requestState: await states.mint({ round: 1 }) });
}

/** Asks only for what the client says it can answer. */
function askForDeclared({ mcpReq }: ServerContext): Answer {
  const envelope: { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } = mcpReq.envelope ?? {};
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY];
  const inputRequests: InputRequests = {
    ...(declared?.elicitation ? { user_name: askFor('name', 'string') } : {}),
    ...(declared?.sampling ? { greeting: askModel() } : {}),
    ...(declared?.roots ? { client_roots: inputRequired.listRoots() } : {}),
  };
  const isEnough = mcpReq.inputResponses !== undefined || Object.keys(inputRequests).length === 0;
  return isEnough ? say('done') : inputRequired({ inputRequests });
}

async function tellProgress({ mcpReq: { _meta: meta, notify } }: ServerContext): Promise<Answer> {
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return say('done');
  for (const progress of [0, 50, 100])
    await notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
  return say(String(progressToken));
}

async function tellLog({ mcpReq }: ServerContext): Promise<Answer> {
  for (const data of ['started', 'working', 'done'])
    await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } });
  return say('logged');
}

const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const once = (name: string, request: () => InputRequests[string]): Fixture => ({
  answer: (context) =>
    answered(context, name)
      ? say(JSON.stringify(answered(context, name)))
      : inputRequired({ inputRequests: { [name]: request() } }),
});

const tools: Record<string, Fixture> = {
  test_simple_text: { answer: () => say('This is a simple text response for testing.') },
  test_image_content: { answer: () => ({ content: [image] }) },
  test_audio_content: { answer: () => ({ content: [{ type: 'audio', data: sound, mimeType: 'audio/wav' }] }) },
  test_embedded_resource: { answer: () => ({ content: [embedded('test://embedded-resource', 'Embedded.')] }) },
  test_multiple_content_types: {
    answer: () => ({ content: [text('Several:'), image, embedded('test://mixed-content-resource', '{}')] }),
  },
  test_tool_with_logging: { answer: tellLog },
  test_tool_with_progress: { answer: tellProgress },
  test_error_handling: { answer: () => ({ ...say('This tool intentionally returns an error.'), isError: true }) },
  test_streaming_elicitation: { answer: () => say('done') },
  test_logging_tool: {
    async answer({ mcpReq }) {
      await mcpReq.log('info', 'Sent only where the request asks for it.');
      return say('done');
    },
  },
  test_missing_capability: once('llm_answer', askModel),
  test_input_required_result_elicitation: {
    answer: (context) =>
      typeof field(context, 'user_name', 'name') === 'string'
        ? say(`Hello, ${field(context, 'user_name', 'name')}!`)
        : inputRequired({ inputRequests: { user_name: askFor('name', 'string') } }),
  },
  test_input_required_result_sampling: once('capital_question', askModel),
  test_input_required_result_list_roots: once('client_roots', inputRequired.listRoots),
  test_input_required_result_request_state: { answer: confirm },
  test_input_required_result_tampered_state: { answer: confirm },
  test_input_required_result_multiple_inputs: { answer: askForAll },
  test_input_required_result_multi_round: { answer: askTwice },
  test_input_required_result_capabilities: { answer: askForDeclared },
  json_schema_2020_12_tool: { inputSchema: schema2020, answer: () => say('done') },
};

const resources = [
  { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain', text: 'A text.' },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png', blob: pixel },
  { uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain', text: 'Watched.' },
];

function readResource(uri: string) {
  const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(uri) ?? [];
  if (id !== undefined) return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id }) }] };
  const known = resources.find((one) => one.uri === uri);
  if (!known) throw new ResourceNotFoundError(uri);
  const { name: _name, ...content } = known;
  return { contents: [content] };
}

const arg = (name: string) => ({ name, description: `The argument ${name}.`, required: true });
type Args = Record<string, string>;
type Message = GetPromptResult['messages'][number]['content'];
const prompts: Record<string, { arguments?: object[]; content(args: Args, context: ServerContext): Message | null }> = {
  test_simple_prompt: { content: () => text('A simple prompt.') },
  test_prompt_with_arguments: {
    arguments: [arg('arg1'), arg('arg2')],
    content: ({ arg1, arg2 }) => text(`arg1='${arg1}', arg2='${arg2}'`),
  },
  test_prompt_with_embedded_resource: {
    arguments: [arg('resourceUri')],
    content: ({ resourceUri = '' }) => embedded(resourceUri, 'Embedded.'),
  },
  test_prompt_with_image: { content: () => image },
  test_input_required_result_prompt: {
    content(_, context) {
      const given = field(context, 'user_context', 'context');
      return given === undefined ? null : text(`Use the following context: ${given}`);
    },
  },
};

const list = <T extends object>(named: Record<string, T>, fields: (one: T) => object) =>
  Object.entries(named).map(([name, one]) => ({ name, description: `Fixture ${name}.`, ...fields(one) }));

const cached = { ttlMs: 1000, cacheScope: 'private' } as const;
const lists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'resources/read'] as const;

/** Everything is answered by the SDK, so that its part of the route is tried. */
export const fixtures: Offer = { serverOf: async () => createServer(), call: () => null };

function createServer(): Server {
  const server = new Server(
    { name: 'fixtures', version: '1.0.0' },
    {
      capabilities: { tools: {}, prompts: {}, resources: { subscribe: true }, completions: {}, logging: {} },
      cacheHints: Object.fromEntries(lists.map((method) => [method, cached])),
      requestState: { verify: states.verify },
    },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: list(tools, ({ inputSchema = { type: 'object' } }) => ({ inputSchema })) as Tool[],
  }));
  server.setRequestHandler('tools/call', ({ params }, context) => {
    const tool = tools[params.name];
    if (!tool) throw new ProtocolError(-32602, `There is no tool ${params.name}.`);
    return tool.answer(context);
  });
  server.setRequestHandler('resources/list', () => ({
    resources: resources.map(({ uri, name, mimeType }) => ({ uri, name, mimeType })),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  }));
  server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.setRequestHandler('prompts/list', () => ({
    prompts: list(prompts, (prompt) => (prompt.arguments ? { arguments: prompt.arguments } : {})) as never,
  }));
  server.setRequestHandler('prompts/get', ({ params }, context) => {
    const content = prompts[params.name]?.content(params.arguments ?? {}, context);
    if (content === undefined) throw new ProtocolError(-32602, `There is no prompt ${params.name}.`);
    if (content === null) return inputRequired({ inputRequests: { user_context: askFor('context', 'string') } });
    return { messages: [{ role: 'user', content }] };
  });
  server.setRequestHandler('logging/setLevel', () => ({}));
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [] } }));
  return server;
}
