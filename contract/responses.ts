import type { TSchema } from 'typebox';
import { type Endpoint, errorsOf } from './endpoint.ts';
import { type ErrorCode, errors } from './errors.ts';
import { docsOf, ErrorResponse, RejectResponse } from './shapes.ts';

/** What the studio refuses, and not the protocol; a 413 is either, by whether it is about a file. */
const isBusiness = (status: number, codes: readonly ErrorCode[]): boolean =>
  status === 413 ? codes.includes('file_too_large') : [403, 409, 422, 429].includes(status);

function errorExample(code: ErrorCode) {
  const { message, action } = errors[code];
  const wait = code === 'rate_limit_exceeded' && { retry_after_seconds: 12, retry_at: '2026-11-20T09:30:12.000Z' };
  return {
    summary: errors[code].meaning,
    value: {
      error: { code, message, action, request_id: 'req_01jd3vsh8xe7rtx1zqbdnzc4v0', docs: docsOf(code), ...wait },
    },
  };
}

const headersOf = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  );

const rateHeaders = {
  'RateLimit-Policy': 'The limits that count this request: `"account";q=60;w=60`, requests per seconds.',
  RateLimit: 'What is left of each: `"account";r=59;t=60`, requests and seconds.',
};
const retryAfter = { 'Retry-After': 'Seconds to wait.' };

/** Headers that only a refusal of this status has. */
const refusalHeaders: Record<string, Record<string, string>> = {
  401: { 'WWW-Authenticate': '`Bearer`.' },
  429: { ...rateHeaders, ...retryAfter },
  503: retryAfter,
};

/** All that an operation can answer, as the OpenAPI document says it. */
export function responsesOf(endpoint: Endpoint, refer: (schema: TSchema) => unknown) {
  const answers = Object.entries(endpoint.answers).map(
    ([status, { description, schema, text, stream, lines, headers = {} }]) => [
      status,
      {
        description,
        headers: headersOf({
          'X-Request-Id': 'Id of this request.',
          ...(endpoint.rate ? rateHeaders : {}),
          ...headers,
        }),
        ...(schema
          ? {
              content: {
                'application/json': { schema: refer(schema) },
                ...(lines ? { 'application/x-ndjson': { schema: refer(lines) } } : {}),
              },
            }
          : {}),
        // 3.1 has no word for the type of one entry; generators take the schema for it.
        ...(stream ? { content: { 'text/event-stream': { schema: refer(stream) } } } : {}),
        ...(text ? { content: { 'text/plain': { schema: { type: 'string' } } } } : {}),
      },
    ],
  );
  const refusals = Object.entries(errorsOf(endpoint)).map(([status, codes]) => [
    status,
    {
      description: codes.map((code) => `\`${code}\`: ${errors[code].meaning}`).join(' '),
      ...(refusalHeaders[status] ? { headers: headersOf(refusalHeaders[status]) } : {}),
      content: {
        'application/json': {
          schema: refer(isBusiness(+status, codes) ? RejectResponse : ErrorResponse),
          examples: Object.fromEntries(codes.map((code) => [code, errorExample(code)])),
        },
      },
    },
  ]);
  return Object.fromEntries([...answers, ...refusals]);
}
