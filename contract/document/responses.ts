import type { TSchema } from 'typebox';
import { type Answer, commonErrors, type Endpoint, errorsOf } from '../endpoint.ts';
import { type ErrorCode, errors } from '../errors.ts';
import { docsOf, ErrorResponse, RejectResponse } from '../shapes.ts';

type Refer = (schema: TSchema) => unknown;

/** Refused by the studio's rules, not by the protocol. 413 can be either. */
const isBusiness = (status: number, codes: readonly ErrorCode[]): boolean =>
  status === 413 ? codes.includes('file_too_large') : [403, 409, 422, 429].includes(status);

/** The body of a refusal with this code. */
export function errorExample(code: ErrorCode, serverUrl: string) {
  const { message, action } = errors[code];
  const wait = code === 'rate_limit_exceeded' && { retry_after_seconds: 12, retry_at: '2026-11-20T09:30:12.000Z' };
  const request_id = 'req_01jd3vsh8xe7rtx1zqbdnzc4v0';
  return { error: { code, message, action, request_id, docs: docsOf(code, serverUrl), ...wait } };
}

const ofText = (description: string) => ({ description, schema: { type: 'string' } });

/** Headers of many answers, each described once in the document. */
export const headers = {
  'X-Request-Id': ofText('Id of this request.'),
  'RateLimit-Policy': ofText('The limits that count this request: `"account";q=60;w=60`, requests per seconds.'),
  RateLimit: ofText('What is left of each: `"account";r=59;t=60`, requests and seconds.'),
  'Retry-After': ofText('Seconds to wait.'),
  'WWW-Authenticate': ofText('`Bearer`.'),
  Location: ofText('The address of what was created.'),
};

const referToHeaders = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const refusalHeaders: Record<string, object> = {
  401: referToHeaders('WWW-Authenticate'),
  429: referToHeaders('RateLimit-Policy', 'RateLimit', 'Retry-After'),
  503: referToHeaders('Retry-After'),
};

const meaningOf = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `\`${code}\`: ${errors[code].meaning}`).join(' ');

/** The refusals that any route can give. The document has them once, as the `default` of every operation. */
export function commonRefusals(endpoints: readonly Endpoint[], refer: Refer) {
  const common: Record<string, Set<ErrorCode>> = {};
  for (const endpoint of endpoints)
    for (const [status, codes] of Object.entries(commonErrors(endpoint)))
      for (const code of codes ?? []) (common[status] ??= new Set()).add(code);
  return {
    description: Object.entries(common)
      .map(([status, codes]) => `- ${status}: ${meaningOf([...codes])}`)
      .join('\n'),
    headers: referToHeaders('X-Request-Id', 'WWW-Authenticate', 'Retry-After'),
    content: { 'application/json': { schema: refer(RejectResponse) } },
  };
}

/** The refusals of one status, shared by all operations that can give the same codes. */
function refusal(status: string, codes: readonly ErrorCode[], refer: Refer) {
  const schema = refer(isBusiness(+status, codes) ? RejectResponse : ErrorResponse);
  return {
    description: meaningOf(codes),
    ...(refusalHeaders[status] ? { headers: refusalHeaders[status] } : {}),
    content: { 'application/json': { schema } },
  };
}

/** Recorded answers, by operation, status and media type. */
export type AnswerExamples = Record<string, Record<string, Record<string, unknown>>>;

function contentOf(
  { schema, preferred, text, stream, lines }: Answer,
  refer: Refer,
  examples: Record<string, unknown> = {},
): Record<string, { schema: unknown; example?: unknown }> {
  const content: Record<string, { schema: unknown }> = {
    ...(schema
      ? { 'application/json': { schema: preferred ? { anyOf: [refer(schema), refer(preferred)] } : refer(schema) } }
      : {}),
    ...(lines ? { 'application/x-ndjson': { schema: refer(lines) } } : {}),
    // OpenAPI 3.1 cannot describe one entry; generators use this schema for it.
    ...(stream ? { 'text/event-stream': { schema: refer(stream) } } : {}),
    ...(text ? { 'text/plain': { schema: { type: 'string' } } } : {}),
  };
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema }]) => [
      type,
      { schema, ...(examples[type] === undefined ? {} : { example: examples[type] }) },
    ]),
  );
}

const deprecationHeaders = {
  Deprecation: 'Since when this operation is deprecated, as `@` and seconds since 1970.',
  Sunset: 'From when on it may be gone.',
  Link: 'The policy of change, and the operation to use instead.',
};

function answerOf(
  { operationId, deprecated }: Endpoint,
  status: string,
  answer: Answer,
  refer: Refer,
  examples: AnswerExamples,
) {
  const content = contentOf(answer, refer, examples[operationId]?.[status]);
  const all = {
    ...answer.headers,
    ...(deprecated ? deprecationHeaders : {}),
  };
  const headers = [
    ...Object.entries(status === '201' ? referToHeaders('Location') : {}),
    ...Object.entries(all).map(([name, description]) => [name, ofText(description)]),
  ];
  return {
    description: answer.description,
    ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

/** Its refusals, own and listed, are shared in `components`; `default` is any common one. */
export function responsesOf(
  endpoint: Endpoint,
  refer: Refer,
  components: Record<string, unknown>,
  examples: AnswerExamples,
) {
  const answers = Object.entries(endpoint.answers).map(([status, answer]) => [
    status,
    answerOf(endpoint, status, answer, refer, examples),
  ]);
  const all = errorsOf(endpoint);
  const common = (endpoint.listed ?? []).map((status) => [status, all[status] ?? []] as const);
  const own: [string | number, readonly ErrorCode[] | undefined][] = Object.entries(endpoint.errors);
  const refusals = [...own, ...common].map(([status, list]) => {
    const codes = [...(list ?? [])].toSorted();
    const name = [status, ...codes].join('.');
    components[name] ??= refusal(String(status), codes, refer);
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  return Object.fromEntries([...answers, ...refusals, ['default', { $ref: '#/components/responses/default' }]]);
}
