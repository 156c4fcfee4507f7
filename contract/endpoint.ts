import type { Static, TObject, TSchema } from 'typebox';
import type { Deprecation } from './deprecation.ts';
import type { ErrorCode } from './errors.ts';
import type { OperatorRight } from './desk/operator-roles.ts';
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
 * - `guest`: somebody without an account, with the token of a review link.
 */
export type Auth = 'public' | 'visitor' | 'person' | 'caller' | 'manager' | 'operator' | 'desk' | 'guest';
export type Scope = 'api:read' | 'api:write';

export type Answer = {
  description: string;
  /** The JSON body. With `text`, plain text instead; with neither, no body. */
  schema?: TSchema;
  /** The JSON body where the request has `Prefer: return=representation`. */
  preferred?: TSchema;
  text?: true;
  /** Instead of a body: server-sent events (`text/event-stream`) with this data in unnamed entries. */
  stream?: TSchema;
  /** With `Accept: application/x-ndjson`: one of these per line, instead of the body. */
  lines?: TSchema;
  headers?: Record<string, string>;
};

/** What a tool call does: `final` ends a job. `by_key`: a repeated write needs its `idempotency_key`. */
export type Tool = {
  name: string;
  hint: 'read' | 'write' | 'final';
  repeat?: 'by_key' | 'by_state';
  /** The argument for `{id}` in the path. */
  id?: 'job_id' | 'file_id' | 'session_id';
  /** Optional arguments of the route that a tool call must have. */
  needs?: string[];
  /** Replace the route's texts if those are about HTTP. */
  title?: string;
  description?: string;
  /** By field; null: its name says enough. */
  fields?: Record<string, string | null>;
  /** Fields of the route that the list of tools does not show: they do not matter to what the tool does. */
  hides?: string[];
  /** Query parameters whose default is another one in a tool call. All else is as in the route. */
  defaults?: Record<string, string>;
  /** By field: the values that are of use to a customer, if the route takes more. */
  values?: Record<string, string[]>;
  /** Fields of the answer, at any depth, that a model cannot use or has read. A tool call leaves them out. */
  omits?: string[];
  /** The page that hosts with MCP Apps show beside the answer. */
  ui?: 'review' | 'order';
};

/** Endpoints of the desk state what an operator needs; workers have their own rules. */
type Access =
  | { auth: 'operator' | 'desk'; right: OperatorRight }
  | { auth: Exclude<Auth, 'operator' | 'desk'>; right?: undefined };

/** Everything the service promises about one operation. */
export type Endpoint = Access & {
  operationId: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** OpenAPI form, with `{id}` parameters. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** Allowed to people whose address is not verified yet. */
  unverified?: true;
  /** Allowed while the account is suspended, although it changes something. */
  whileSuspended?: true;
  /** Answers an operator who views the account. Only for GET, and never with a secret of the account. */
  whileViewing?: true;
  /** Open to reviewers and their apps. Without it a `caller` must be able to order. */
  reviewers?: true;
  /** The scope that an API key needs. Default: `api:read` for GET, `api:write` otherwise. */
  scope?: Scope;
  /** Cookie callers must send `x-service-csrf-token`; for other mutations the same origin is enough, too. */
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
  /** May wait up to 30 seconds for something to happen. */
  long?: true;
  /** Its own headers. Required ones must be in every request. */
  headers?: Record<string, { description: string; required?: true; schema?: object }>;
  /** The limit in `rates.ts` that it counts against. */
  rate?: RateName;
  /** At most so many at a time by a credential. Such a request counts against no rate. */
  atOnce?: number;
  /** The largest body in bytes, if it is more than the 512 kB of other routes. */
  largestBody?: number;
  /** How MCP offers it. Without this it is not a tool. */
  tool?: Tool;
  params?: TObject;
  query?: TObject;
  /** Absent: an empty body or `{}`. */
  body?: TObject;
  /** The `Location` of a 201: a path, with parameters and fields of the answer in braces. */
  location?: string;
  answers: Record<number, Answer>;
  /** Statuses of common refusals that the document lists by number, and not only under `default`. */
  listed?: readonly number[];
  /** Its own refusals. `openapi.ts` adds the common ones. */
  errors: Partial<Record<number, readonly ErrorCode[]>>;
};

export const endpoint = <const E extends Endpoint>(endpoint: E): E => endpoint;

type Read<E extends Endpoint, K extends 'params' | 'query' | 'body'> = E[K] extends TSchema ? Static<E[K]> : undefined;
export type Params<E extends Endpoint> = Read<E, 'params'>;
export type Query<E extends Endpoint> = Read<E, 'query'>;
export type Body<E extends Endpoint> = Read<E, 'body'>;

export type StreamEntry = { event?: string; id?: string; retry?: number; data: unknown };
/** The source of a stream's entries. Idle between reads, like most streams. */
export type EntrySource = {
  /** Returns what can be sent now. Called at the start and after each `wake`. */
  read(): AsyncIterable<StreamEntry>;
  close(): void;
};
/** `wake`: read the source again. `end`: nothing will follow. */
export type StreamControl = { wake(): void; end(): void };
export type EventStream = (stream: StreamControl) => EntrySource;

/** Objects to send one per line. */
export type Lines = { lines: AsyncIterable<object> };

export type AnswerOf<E extends Endpoint> = {
  [S in keyof E['answers'] & number]: {
    status: S;
    body: E['answers'][S] extends { schema: infer B extends TSchema }
      ?
          | Static<B>
          | (E['answers'][S] extends { preferred: infer P extends TSchema } ? Static<P> : never)
          | (E['answers'][S] extends { lines: TSchema } ? Lines : never)
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

/** 422 for an invalid body, or 400 if the route lists 400 and not 422. */
export const bodyStatus = ({ errors }: Endpoint): 400 | 422 =>
  errors[400]?.includes('invalid_request') && !errors[422]?.includes('invalid_request') ? 400 : 422;

export const scopeOf = (endpoint: Endpoint): Scope =>
  endpoint.scope ?? (endpoint.method === 'GET' ? 'api:read' : 'api:write');

/** Whether a session needs a verified address. */
export const needsVerifiedEmail = (endpoint: Endpoint): boolean =>
  scopeOf(endpoint) === 'api:write' && !endpoint.unverified;

/** Whether a suspended account is refused. What concerns only the person is not the account's. */
export const needsOpenAccount = (endpoint: Endpoint): boolean =>
  (endpoint.auth === 'caller' || endpoint.auth === 'manager' || endpoint.auth === 'guest') &&
  scopeOf(endpoint) === 'api:write' &&
  !endpoint.whileSuspended;

/** Whether some of the people with a session are refused for their role. */
const needsRole = ({ auth, reviewers }: Endpoint): boolean =>
  auth === 'manager' || auth === 'operator' || auth === 'desk' || (auth === 'caller' && !reviewers);

/** Whether it acts for an account, so that a session that views one acts for that. */
export const isOfAccount = ({ auth }: Pick<Endpoint, 'auth'>): boolean => auth === 'caller' || auth === 'manager';

/** Whether `x-service-account` may name the account that the request is for. */
export const actsForAccount = ({ auth }: Endpoint): boolean =>
  auth === 'person' || auth === 'caller' || auth === 'manager';

/** Whether only a person, a key or a worker may call it. */
export const isSignedIn = (auth: Auth): boolean => auth !== 'public' && auth !== 'visitor' && auth !== 'guest';

export function commonErrors(endpoint: Endpoint): Partial<Record<number, readonly ErrorCode[]>> {
  const { auth } = endpoint;
  const signedIn = isSignedIn(auth);
  const writes = endpoint.method !== 'GET';
  return {
    // Not HTTP, no Host, undecodable, too slow, or more than 16 KiB of headers.
    400: ['invalid_request'],
    431: ['invalid_request'],
    ...(signedIn ? { 401: ['unauthenticated'], 403: forbidden(endpoint) } : {}),
    ...(auth === 'guest' && needsOpenAccount(endpoint) ? { 403: ['account_suspended'] } : {}),
    ...(writes ? { 413: ['body_too_large'], 415: ['unsupported_media_type'] } : {}),
    422: unprocessable(endpoint),
    ...(actsForAccount(endpoint) ? { 409: ['account_changed'] } : {}),
    ...(endpoint.rate || signedIn ? { 429: ['rate_limit_exceeded'] } : {}),
    500: ['internal_error'],
    503: ['service_unavailable'],
  };
}

function forbidden(endpoint: Endpoint): ErrorCode[] {
  const { auth, method } = endpoint;
  return [
    'credential_not_accepted',
    ...(auth === 'caller' ? (['insufficient_scope'] as const) : []),
    ...(isOfAccount(endpoint) ? (['no_active_account'] as const) : []),
    ...(isOfAccount(endpoint) && !endpoint.whileViewing ? (['view_only'] as const) : []),
    ...(needsRole(endpoint) ? (['role_required'] as const) : []),
    ...(auth === 'operator' || auth === 'desk' ? (['second_factor_required'] as const) : []),
    ...(needsVerifiedEmail(endpoint) ? (['email_unverified'] as const) : []),
    ...(needsOpenAccount(endpoint) ? (['account_suspended'] as const) : []),
    ...(method === 'GET' ? [] : (['csrf_token_invalid'] as const)),
  ];
}

/** Without a body, a key cannot come with a different one. */
function unprocessable(endpoint: Endpoint): ErrorCode[] {
  const { idempotent, method, body } = endpoint;
  const invalid = idempotent === 422 || (method !== 'GET' && bodyStatus(endpoint) === 422);
  return [
    ...(invalid ? (['invalid_request'] as const) : []),
    ...(remembersKeys(endpoint) && body ? (['idempotency_key_conflict'] as const) : []),
    ...(idempotent === 'refused' ? (['idempotency_key_not_accepted'] as const) : []),
  ];
}

/** A route's own refusals and the common ones. */
export function errorsOf(endpoint: Endpoint): Record<number, ErrorCode[]> {
  const all: Record<number, ErrorCode[]> = {};
  for (const group of [endpoint.errors, commonErrors(endpoint)])
    for (const [status, codes] of Object.entries(group))
      if (codes?.length) all[+status] = [...new Set([...(all[+status] ?? []), ...codes])];
  return all;
}
