import type { Static, TObject, TSchema } from 'typebox';
import type { Deprecation } from './deprecation.ts';
import type { ErrorCode } from './errors.ts';
import type { RateName } from './rates.ts';

/**
 * Who may call.
 * - `public`: no credentials.
 * - `visitor`: anybody; who comes with a session is known by it.
 * - `person`: a signed-in user, whatever account is active.
 * - `caller`: an API key or a session, acting for one account.
 * - `manager`: the session of an owner or admin of the account.
 * - `operator`: the session of a user with the operator flag.
 * - `desk`: an operator, or a worker with its key.
 */
export type Auth = 'public' | 'visitor' | 'person' | 'caller' | 'manager' | 'operator' | 'desk';
export type Scope = 'api:read' | 'api:write';

export type Answer = {
  description: string;
  /** The JSON body; with `text` a plain text instead; with neither there is no body. */
  schema?: TSchema;
  text?: true;
  /** Instead of a body: server-sent events (`text/event-stream`), whose entries without a name hold this. */
  stream?: TSchema;
  /** With `Accept: application/x-ndjson`, instead of the body: one of these a line. */
  lines?: TSchema;
  headers?: Record<string, string>;
};

/**
 * A tool for agents: its name, and what a call does: nothing (`read`), a change (`write`), or one that ends a job (`final`).
 * Where a `write` may be repeated: `by_key` takes an `idempotency_key` with each call, `by_state` refuses the second one.
 */
export type Tool = {
  name: string;
  hint: 'read' | 'write' | 'final';
  repeat?: 'by_key' | 'by_state';
  /** The argument that is `{id}` in the path. */
  id?: 'job_id' | 'file_id' | 'session_id';
  /** Title, description and descriptions of fields, where those of the route speak of HTTP. */
  title?: string;
  description?: string;
  fields?: Record<string, string>;
};

/** One endpoint of the contract: everything the service promises about one operation. */
export type Endpoint = {
  operationId: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** OpenAPI form, with `{id}` parameters. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  auth: Auth;
  /** A change that a person may make whose address is not verified yet. */
  unverified?: true;
  /** What an API key needs. Left out: `api:read` for GET, `api:write` for the rest. */
  scope?: Scope;
  /** Cookie callers must send `x-service-csrf-token`; otherwise a same-origin check holds for mutations. */
  csrf?: true;
  /**
   * What it does with an `Idempotency-Key`. Every POST and PATCH says it.
   * - 400 or 422: for 30 days a repeat changes nothing and gets the first answer. The number is the status
   *   of a bad key: 422 where the specification lists 422 and on routes of our own, else 400.
   * - `by_nature`: a repeat changes nothing anyway. The key is not read.
   * - `refused`: 422. The body or the answer holds a credential, or the request is about this moment.
   */
  idempotent?: 400 | 422 | 'by_nature' | 'refused';
  /** Its answers say that it will end, and the document marks it. */
  deprecated?: Deprecation;
  /** May wait for something to happen before it answers: up to 30 seconds instead of 5. */
  long?: true;
  /** Headers of its own, by name: what they are. A required one is needed in each request. */
  headers?: Record<string, { description: string; required?: true; schema?: object }>;
  /** Which limit of `rates.ts` it counts against; its answers carry `RateLimit` headers. */
  rate?: RateName;
  /** How agents are offered it over MCP; without it they are not. */
  tool?: Tool;
  params?: TObject;
  query?: TObject;
  /** Absent: an empty body or `{}`. */
  body?: TObject;
  answers: Record<number, Answer>;
  /** The refusals that this operation itself can give; those common to all are added by `openapi.ts`. */
  errors: Partial<Record<number, readonly ErrorCode[]>>;
};

/** Keeps the literal types of one endpoint. */
export const endpoint = <const E extends Endpoint>(endpoint: E): E => endpoint;

type Read<E extends Endpoint, K extends 'params' | 'query' | 'body'> = E[K] extends TSchema ? Static<E[K]> : undefined;
export type Params<E extends Endpoint> = Read<E, 'params'>;
export type Query<E extends Endpoint> = Read<E, 'query'>;
export type Body<E extends Endpoint> = Read<E, 'body'>;

/** One entry of a stream of server-sent events. */
export type StreamEntry = { event?: string; id?: string; retry?: number; data: unknown };
/** Where the entries of one stream come from. Between two reads nothing runs for it, since of many streams most are idle. */
export type EntrySource = {
  /** What there is to send by now. Asked at once, and again when the source has woken its stream. */
  read(): AsyncIterable<StreamEntry>;
  /** Nobody reads it any more. */
  close(): void;
};
/** What a source can do with its stream: have itself read again, and end it where nothing can follow. */
export type StreamControl = { wake(): void; end(): void };
/** Opens the source of a stream. */
export type EventStream = (stream: StreamControl) => EntrySource;

/** Objects that are sent one a line, as many as there are. */
export type Lines = { lines: AsyncIterable<object> };

/** A status with the body that the contract gives it. */
export type AnswerOf<E extends Endpoint> = {
  [S in keyof E['answers'] & number]: {
    status: S;
    body: E['answers'][S] extends { schema: infer B extends TSchema }
      ? Static<B> | (E['answers'][S] extends { lines: TSchema } ? Lines : never)
      : E['answers'][S] extends { text: true }
        ? string
        : E['answers'][S] extends { stream: TSchema }
          ? EventStream
          : undefined;
    headers?: Record<string, string | string[]>;
  };
}[keyof E['answers'] & number];

/** Whether an `Idempotency-Key` is stored with the answer. */
export const remembersKeys = ({ idempotent }: Pick<Endpoint, 'idempotent'>): boolean => typeof idempotent === 'number';

/** A wrong body is 422, but 400 on a route that lists 400 and not 422. */
export const bodyStatus = ({ errors }: Endpoint): 400 | 422 =>
  errors[400]?.includes('invalid_request') && !errors[422]?.includes('invalid_request') ? 400 : 422;

export const scopeOf = (endpoint: Endpoint): Scope =>
  endpoint.scope ?? (endpoint.method === 'GET' ? 'api:read' : 'api:write');

/** Whether a session may do it only once its person has proved their address. */
export const needsVerifiedEmail = (endpoint: Endpoint): boolean =>
  scopeOf(endpoint) === 'api:write' && !endpoint.unverified;

/** Whether it depends on the account that a session acts for: there `x-service-account` may name the one that is meant. */
export const actsForAccount = ({ auth }: Endpoint): boolean =>
  auth === 'person' || auth === 'caller' || auth === 'manager';

/** Refusals that any route can give, by what it takes. */
export function commonErrors(endpoint: Endpoint): Partial<Record<number, readonly ErrorCode[]>> {
  const { auth } = endpoint;
  const signedIn = auth !== 'public' && auth !== 'visitor';
  const writes = endpoint.method !== 'GET';
  return {
    // What is no HTTP, has no Host, cannot be decoded or comes too slowly; headers of more than 16 KiB.
    400: ['invalid_request'],
    431: ['invalid_request'],
    ...(signedIn ? { 401: ['unauthenticated'], 403: forbidden(endpoint) } : {}),
    ...(writes ? { 413: ['body_too_large'], 415: ['unsupported_media_type'] } : {}),
    422: unprocessable(endpoint),
    ...(actsForAccount(endpoint) ? { 409: ['account_changed'] } : {}),
    ...(endpoint.rate || signedIn ? { 429: ['rate_limit_exceeded'] } : {}),
    500: ['internal_error'],
    503: ['service_unavailable'],
  };
}

/** Why somebody who is known may not pass. */
function forbidden(endpoint: Endpoint): ErrorCode[] {
  const { auth, method } = endpoint;
  return [
    'credential_not_accepted',
    ...(auth === 'caller' ? (['insufficient_scope'] as const) : []),
    ...(auth === 'caller' || auth === 'manager' ? (['no_active_account'] as const) : []),
    ...(auth === 'manager' || auth === 'operator' || auth === 'desk' ? (['role_required'] as const) : []),
    ...(auth === 'operator' || auth === 'desk' ? (['second_factor_required'] as const) : []),
    ...(needsVerifiedEmail(endpoint) ? (['email_unverified'] as const) : []),
    ...(method === 'GET' ? [] : (['csrf_token_invalid'] as const)),
  ];
}

/** Why a body or an `Idempotency-Key` may be unusable. A key cannot come with another body where there is none. */
function unprocessable(endpoint: Endpoint): ErrorCode[] {
  const { idempotent, method, body } = endpoint;
  const invalid = idempotent === 422 || (method !== 'GET' && bodyStatus(endpoint) === 422);
  return [
    ...(invalid ? (['invalid_request'] as const) : []),
    ...(remembersKeys(endpoint) && body ? (['idempotency_key_conflict'] as const) : []),
    ...(idempotent === 'refused' ? (['idempotency_key_not_accepted'] as const) : []),
  ];
}

/** Every refusal that a route can give, by status: its own and the common ones. */
export function errorsOf(endpoint: Endpoint): Record<number, ErrorCode[]> {
  const all: Record<number, ErrorCode[]> = {};
  for (const group of [endpoint.errors, commonErrors(endpoint)])
    for (const [status, codes] of Object.entries(group))
      if (codes?.length) all[+status] = [...new Set([...(all[+status] ?? []), ...codes])];
  return all;
}
