import type { CallToolResult } from '@modelcontextprotocol/server';
import { bodyStatus, type Endpoint, remembersKeys } from '../../contract/endpoint.ts';
import type { InlineFile } from '../../contract/files/file.ts';
import type { ErrorBody } from '../../contract/shapes.ts';
import { callerRefusal } from '../access/authorize.ts';
import { filesForPrograms } from '../catalog/answer-question.ts';
import type { Caller } from '../http/request.ts';
import { asRefusal } from '../http/failure.ts';
import type { Operations, Sent } from '../http/invoke.ts';
import { invokeAtOnce } from '../http/handle.ts';
import { countedFor, type RateLimiter } from '../http/rate-limit.ts';
import { badBody, badRequest, Refusal } from '../http/refusal.ts';
import type { Arguments } from './protocol.ts';
import { readArguments } from './read-arguments.ts';
import { type Family, thinFamily } from './thin-catalog.ts';
import type { ToolEndpoint } from './tools.ts';
import type { RateName } from '../../contract/rates.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { Static } from 'typebox';
import type { Metrics } from '../lib/metrics.ts';
import { inDoorWords } from '../../contract/door-words.ts';

export type ToolDependencies = {
  rates: RateLimiter<RateName>;
  log: FastifyBaseLogger;
  metrics: Metrics;
  publicUrl: string;
  operations: Operations;
};

export type From = { caller: Caller; requestId: string; ip: string; ended: AbortSignal };

/** The picture of an answer is a block of its own: as text, a model could not look at it. */
type Image = { type: 'image'; data: string; mimeType: string };

export type ToolAnswer = { text: string; image?: Image; isError: boolean };

export async function callTool(
  dependencies: ToolDependencies,
  from: From,
  endpoint: ToolEndpoint,
  sent: unknown,
): Promise<ToolAnswer> {
  let args: Arguments;
  try {
    args = readArguments(endpoint, sent);
  } catch (error) {
    return refusedTool(dependencies, from, endpoint, error);
  }
  return callRead(dependencies, from, endpoint, args);
}

/** Takes arguments that were read already: a second reading would drop the nulls of the first. */
export async function callRead(
  dependencies: ToolDependencies,
  from: From,
  endpoint: ToolEndpoint,
  args: Arguments,
): Promise<ToolAnswer> {
  try {
    const body = await askBody(dependencies, from, endpoint, args);
    return { ...answerOf(body, endpoint.tool?.omits), isError: false };
  } catch (error) {
    return refusedTool(dependencies, from, endpoint, error);
  }
}

export const refusedTool = (
  dependencies: ToolDependencies,
  from: From,
  endpoint: Endpoint,
  error: unknown,
): ToolAnswer => ({ text: JSON.stringify(errorOf(dependencies, from, endpoint, error)), isError: true });

/** Hosts use data or text. An error is only text: older clients check data against the success schema. */
export const resultOf = ({ text, image, isError }: ToolAnswer): CallToolResult => ({
  content: [{ type: 'text', text }, ...(image ? [image] : [])],
  ...(isError ? { isError } : { structuredContent: JSON.parse(text) as Record<string, unknown> }),
});

const keyLocation = '/idempotency_key';

export async function ask(
  dependencies: ToolDependencies,
  from: From,
  endpoint: Endpoint,
  args: Arguments,
): Promise<string> {
  return JSON.stringify(await askBody(dependencies, from, endpoint, args), without(endpoint.tool?.omits));
}

/** Applies scope, role, rates and validation like the route. */
async function askBody(
  { rates, operations }: ToolDependencies,
  { caller, requestId, ip, ended }: From,
  endpoint: Endpoint,
  args: Arguments,
): Promise<ToolBody> {
  const operation = operations.get(endpoint.operationId);
  if (!operation) throw new Error(`${endpoint.operationId} is not offered.`);
  const refusal = callerRefusal(caller, endpoint);
  if (refusal) throw refusal;
  await rates.spend('mcp_call', countedFor(caller, ip));
  const asking = endpoint.auth === 'public' ? null : caller;
  if (endpoint.rate) await rates.spend(endpoint.rate, countedFor(asking, addressOf(caller, ip)));
  if (endpoint.tool?.repeat === 'by_key' && args['idempotency_key'] === undefined)
    throw badBody([{ location: keyLocation, message: 'is required' }]);
  const input = operation.read({ ...placesOf(endpoint, args), headers: {}, requestId, ip, ended });
  return asToolAnswer((await invokeAtOnce(rates, operation, asking, input)).body as Answered);
}

/** A host calls for many people from one address, so a key counts in its place. */
const addressOf = (caller: Caller, ip: string): string => (caller.method === 'api_key' ? caller.keyId : ip);

function answerOf(body: ToolBody, omits: string[] | undefined): Pick<ToolAnswer, 'text' | 'image'> {
  const { image, ...inline } = body.inline ?? {};
  if (!image) return { text: JSON.stringify(body, without(omits)) };
  const { content_type, base64 } = image;
  const text = JSON.stringify({ ...body, inline: { ...inline, image: { content_type } } }, without(omits));
  return { text, image: { type: 'image', data: base64, mimeType: content_type } };
}

/**
 * Undefined if nothing is left out, because JSON would call it for each value. Metadata is the customer's.
 */
function without(omitted: string[] | undefined) {
  if (!omitted) return undefined;
  let metadata: unknown;
  return function replace(this: unknown, name: string, value: unknown) {
    if (this === metadata) return value;
    if (name === 'metadata') metadata = value;
    return omitted.includes(name) ? undefined : value;
  };
}

type Job = { links?: unknown };
type Linked = { job?: Job; jobs?: Job[]; events?: { job?: Job | null }[] };
type Said = { role?: string; content?: string };
type Guided = {
  next_action?: string | null;
  message?: Said;
  messages?: Said[];
  intake_session?: Guided;
  preflight?: { blocking_reasons: { action: string }[] };
};
type ToolBody = { inline?: Static<typeof InlineFile> };
type Answered = Linked & Guided & ToolBody & { service_families?: Family[] };

/** Tool callers cannot use the paths of a job's routes, and call tools where a text names a route. */
const asToolAnswer = (body: Answered): ToolBody => ({
  ...withNext(body),
  ...(body.intake_session ? { intake_session: withNext(body.intake_session) } : {}),
  ...(body.preflight ? { preflight: guided(body.preflight) } : {}),
  ...(body.service_families ? { service_families: body.service_families.map(thinFamily) } : {}),
  ...(body.job ? { job: linkless(body.job) } : {}),
  ...(body.jobs ? { jobs: body.jobs.map(linkless) } : {}),
  ...(body.events
    ? { events: body.events.map((event) => (event.job ? { ...event, job: linkless(event.job) } : event)) }
    : {}),
});
const withNext = <T extends Guided>(body: T): T => ({
  ...body,
  ...(body.next_action ? { next_action: nextInToolWords(body.next_action) } : {}),
  ...(body.message ? { message: replied(body.message) } : {}),
  ...(body.messages ? { messages: body.messages.map(replied) } : {}),
});
/** A reply repeats words of the customer, which stay as they are. */
const replied = (said: Said): Said =>
  said.role === 'concierge' && said.content
    ? { ...said, content: said.content.replaceAll(filesForPrograms, (text) => inToolWords(text)) }
    : said;
const guided = ({ blocking_reasons: reasons, ...preflight }: NonNullable<Guided['preflight']>) => ({
  ...preflight,
  blocking_reasons: reasons.map((reason) => ({ ...reason, action: inToolWords(reason.action) })),
});
const linkless = ({ links: _links, ...job }: Job): Job => job;

/** Puts each argument where the route takes it. The reader of the body refuses its own unknown fields. */
function placesOf(endpoint: Endpoint, args: Arguments): Pick<Sent, 'params' | 'query' | 'body' | 'idempotencyKey'> {
  const { idempotency_key: key, ...fields }: Arguments = { ...endpoint.tool?.defaults, ...args };
  const params = pathParams(endpoint, fields);
  if (endpoint.tool?.id) delete fields[endpoint.tool.id];
  const idempotencyKey = { location: keyLocation, values: key === undefined ? [] : [key] };
  if (key !== undefined && !remembersKeys(endpoint)) throw badRequest('idempotency_key', 'is not a known parameter');
  const missing = endpoint.tool?.needs?.filter((name) => fields[name] === undefined) ?? [];
  if (missing.length > 0) throw badBody(missing.map((name) => ({ location: `/${name}`, message: 'is required' })));
  const query = Object.fromEntries(
    Object.keys(endpoint.query?.properties ?? {}).flatMap((name) =>
      fields[name] === undefined ? [] : [[name, queryText(name, fields[name])]],
    ),
  );
  if (endpoint.method !== 'GET') {
    for (const name of Object.keys(query)) delete fields[name];
    return { params, query, body: fields, idempotencyKey };
  }
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(endpoint.query?.properties ?? {}, name));
  if (unknown !== undefined) throw badRequest(unknown.slice(0, 100), 'is not a known parameter');
  return { params, query, body: undefined, idempotencyKey };
}

/** If the id is missing, also names unknown arguments: one may be the id. */
function pathParams({ tool, query, body }: Endpoint, fields: Arguments): Sent['params'] {
  if (!tool?.id) return {};
  const id = fields[tool.id];
  if (typeof id === 'string') return { id };
  const knownArguments = [tool.id, ...Object.keys({ ...query?.properties, ...body?.properties })];
  const unknown = Object.keys(fields).filter((name) => !knownArguments.includes(name));
  const details = [
    { location: tool.id, message: id === undefined ? 'is required' : 'must be a string' },
    ...unknown.slice(0, 10).map((name) => ({ location: name.slice(0, 100), message: 'is not a known parameter' })),
  ];
  const message = details.map((detail) => `${detail.location}: ${detail.message}`).join('; ');
  throw new Refusal('invalid_request', { status: 400, message, details });
}

function queryText(name: string, value: unknown): string | string[] {
  if (Array.isArray(value)) return value.flatMap((item) => queryText(name, item));
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw badRequest(name.slice(0, 100), 'must be a text, a number or a list of them');
}

/** Faults are logged whole and shown as a request id. */
export function errorOf(
  { log, metrics, publicUrl }: ToolDependencies,
  { requestId }: From,
  endpoint: Endpoint,
  error: unknown,
): ErrorBody['error'] {
  const refusal = asRefusal(error, bodyStatus(endpoint)) ?? new Refusal('internal_error');
  metrics.refused(refusal.code);
  if (refusal.status === 500) log.error({ err: error, request_id: requestId }, refusal.code);
  if (refusal.status === 503) log.warn({ err: error, request_id: requestId }, refusal.code);
  if (refusal.status < 500)
    log.info({ operation: endpoint.operationId, code: refusal.code, request_id: requestId }, 'refused');
  const body = refusal.body(requestId, publicUrl).error;
  return { ...body, action: inToolWords(body.action) };
}

/** A text of the service as a caller of tools needs it. What has no tool, a person does in the dashboard. */
export const inToolWords = (text: string): string => inDoorWords('tool', text, () => 'the dashboard');

/** The questions of the studio stay as they are: the service's own sentence follows the last blank line. */
function nextInToolWords(text: string): string {
  const own = text.lastIndexOf('\n\n') + 1;
  return text.slice(0, own) + inToolWords(text.slice(own));
}
