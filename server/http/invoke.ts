import type { IncomingHttpHeaders } from 'node:http';
import type { TObject } from 'typebox';
import {
  type AnswerOf,
  type Auth,
  type Body,
  bodyStatus,
  type Endpoint,
  isOfAccount,
  type Params,
  type Query,
} from '../../contract/endpoint.ts';
import type { Actor } from '../../contract/moves.ts';
import { ignoresParameter } from '../../contract/unknown-query.ts';
import { Closed } from '../../contract/shapes.ts';
import type { Signer } from '../lib/signer.ts';
import { type CallerOf, type Cause, keyOwnerOf, type Request } from './request.ts';
import { storedKey } from './credential-form.ts';
import { badBody, Refusal } from './refusal.ts';
import { bodyReader, queryReader } from './validation.ts';

/** The input as received: texts from path and query, parsed JSON, and every Idempotency-Key header. */
export type Sent = {
  params: Record<string, string>;
  query: Record<string, string | string[]>;
  body: unknown;
  idempotencyKey: { location: string; values: unknown[] };
  headers: IncomingHttpHeaders;
  requestId: string;
  ip: string;
  ended: AbortSignal;
};

export type Input = Omit<Request<Endpoint>, 'caller' | 'keyOwner' | 'cause' | 'params' | 'query' | 'body'> & {
  params: unknown;
  query: unknown;
  body: unknown;
};

export type Answer = { status: number; body: unknown; headers?: Record<string, string | string[]> };

/** HTTP and MCP read and invoke it the same way, after authority and rates are checked. */
export type Operation = {
  endpoint: Endpoint;
  /** Throws a refusal that names the problem. */
  read(sent: Sent): Input;
  invoke(caller: CallerOf<Auth>, input: Input): Promise<Answer>;
};

export type Operations = Map<string, Operation>;

const nothing = Closed({});

/** Gives each request its context. A request keeps it, even if a new catalog is published before it ends. */
export type Source<Context> = { signer: Signer; current(): Context };

/** A verb takes the context and one request. It returns a status of the endpoint or throws a refusal. */
export type Verb<Context, E extends Endpoint> = (
  context: Context,
  request: Request<E>,
) => Promise<AnswerOf<E>> | AnswerOf<E>;

export function createOperation<Context, const E extends Endpoint>(
  source: Source<Context>,
  endpoint: E,
  verb: Verb<Context, E>,
): Operation {
  const readBody = bodyReader<TObject>(endpoint.body ?? nothing, bodyStatus(endpoint));
  const readQuery = queryReader<TObject>(endpoint.query ?? nothing, (name) =>
    ignoresParameter(endpoint.operationId, name),
  );
  return {
    endpoint,
    read({ params, query, body, idempotencyKey, headers, requestId, ip, ended }) {
      const key = readIdempotencyKey(endpoint, idempotencyKey);
      const readable = endpoint.method === 'GET' ? undefined : readBody(body);
      return {
        params,
        query: readQuery(query),
        body: endpoint.body ? readable : undefined,
        route: routeOf(endpoint, params),
        headers,
        requestId,
        ip,
        ended,
        idempotencyKey: key,
      };
    },
    async invoke(caller, { params, query, body, ...input }) {
      const hashAddress = () => source.signer.hashAddress(input.ip);
      const answer: Answer = await verb(source.current(), {
        ...input,
        caller: caller as CallerOf<E['auth']>,
        keyOwner: keyOwnerOf(endpoint.auth, caller),
        params: params as Params<E>,
        query: query as Query<E>,
        body: body as Body<E>,
        cause: causeOf(endpoint.auth, { caller, requestId: input.requestId, hashAddress }),
      });
      return answer.status === 201 ? located(endpoint, params, answer) : answer;
    },
  };
}

type From = { caller: CallerOf<Endpoint['auth']>; requestId: string; hashAddress(): string };

export const causeOf = (auth: Endpoint['auth'], { caller, requestId, hashAddress }: From): Cause => ({
  actor: actorOf(auth, caller),
  requestId,
  userId: caller?.method === 'session' ? caller.userId : null,
  apiKeyId: caller?.method === 'api_key' ? caller.keyId : null,
  workerKeyId: caller?.method === 'worker_key' ? caller.keyId : null,
  get addressHash() {
    return hashAddress();
  },
});

function actorOf(auth: Endpoint['auth'], caller: From['caller']): Actor {
  if (caller?.method === 'worker_key') return 'worker';
  const inView = isOfAccount({ auth }) && caller?.method === 'session' && caller.view !== null;
  return auth === 'operator' || auth === 'desk' || inView ? 'operator' : 'customer';
}

/** With the `Location` of what was created, also in the answer to a repeat. */
function located({ location = '' }: Endpoint, params: unknown, answer: Answer): Answer {
  const fields = { ...(params as object), ...(answer.body as object) };
  const read = (path: string) =>
    path.split('.').reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], fields);
  const path = location.replace(/\{([\w.]+)\}/g, (_, name: string) => String(read(name)));
  return { ...answer, headers: { location: path, ...answer.headers } };
}

/** Uses the parsed parameters, so that two spellings of one path are one route. Postgres cannot store NUL. */
const routeOf = ({ method, path }: Endpoint, params: Record<string, string>): string =>
  `${method} ${path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))}`;

function readIdempotencyKey(endpoint: Endpoint, { location, values }: Sent['idempotencyKey']): string | null {
  const { idempotent } = endpoint;
  if (idempotent === 'refused' && values.length > 0) throw new Refusal('idempotency_key_not_accepted');
  if (typeof idempotent !== 'number' || values.length === 0) return null;
  const [key] = values;
  if (typeof key === 'string' && values.length === 1 && /^[\x21-\x7e]{1,255}$/.test(key)) return storedKey(key);
  throw badBody([{ location, message: 'must be given once, as 1 to 255 visible ASCII characters' }], idempotent);
}
