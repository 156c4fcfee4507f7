import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import pino from 'pino';
import { migrate } from '../../server/db/migrate.ts';
import { urlOfSchema } from '../../server/db/pool.ts';
import type { StoreDeadlines } from '../../server/lib/deadlines.ts';
import { createLog } from '../../server/lib/log.ts';
import { expect, inject } from 'vitest';
import type * as App from '../../server/app.ts';
import { readConfig } from '../../server/start/config.ts';
import type * as Start from '../../server/start/context.ts';
import type { Email } from '../../server/mail/letter.ts';
import { answerFault } from './answers.ts';
import { patience } from './patience.ts';

/**
 * The credential: none, a bearer token (API key or session), a session cookie with or without its CSRF
 * token, or the token of a review link.
 */
export type As = string | { cookie: string; csrf?: string } | { review: string } | null;
export type RequestOptions = { as?: As; body?: unknown; headers?: Record<string, string>; raw?: string | Uint8Array };
// Tests read any field of an answer. Answers are checked against the OpenAPI document.
// oxlint-disable-next-line typescript/no-explicit-any
export type Got = { status: number; headers: Headers; body: any };

export type Service = {
  url: string;
  databaseUrl: string;
  context: Start.Context;
  /** Mails that the service sent. `call` returns after the mails of its request are sent. */
  emails: Email[];
  call(method: string, path: string, options?: RequestOptions): Promise<Got>;
  /** The same without a socket, if the service runs in this process: for answers that end. */
  inject?: Service['call'];
  close(): Promise<void>;
};

async function copyTemplate(): Promise<string> {
  const template = new URL(inject('templateUrl'));
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = new URL(template);
  admin.pathname = '/postgres';
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  await client.query(`create database ${name} template ${template.pathname.slice(1)} strategy file_copy`);
  await client.end();
  template.pathname = `/${name}`;
  return template.href;
}

/** The database behind the pooler of `npm run test:pooler`, if that runs. */
export function databaseSettings(url: string): { url: string; variables: Record<string, string> } {
  if (!process.env.TEST_POOLER_URL) return { url, variables: { DATABASE_URL: url } };
  const pooler = new URL(process.env.TEST_POOLER_URL);
  pooler.pathname = new URL(url).pathname;
  return { url: pooler.href, variables: { DATABASE_URL: pooler.href, DATABASE_DIRECT_URL: url } };
}

/** The header of a credential that is no cookie. */
export const authorizationOf = (as: As): Record<string, string> => {
  if (typeof as === 'string') return { authorization: `Bearer ${as}` };
  return as && 'review' in as ? { authorization: `Review ${as.review}` } : {};
};

function headersOf({ as, body, raw, headers }: RequestOptions): Record<string, string> {
  const credential: Record<string, string> =
    as && typeof as === 'object' && 'cookie' in as
      ? {
          cookie: as.cookie,
          'sec-fetch-site': 'same-origin',
          ...(as.csrf === undefined ? {} : { 'x-service-csrf-token': as.csrf }),
        }
      : authorizationOf(as ?? null);
  return {
    ...credential,
    ...(body === undefined && raw === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
}

const sentBody = ({ raw, body }: RequestOptions) => raw ?? (body === undefined ? undefined : JSON.stringify(body));

/** Checks an answer against the OpenAPI document. Of a stream the text is null. */
function checkedAnswer(method: string, path: string, status: number, headers: Headers, text: string | null): Got {
  const type = headers.get('content-type') ?? '';
  const read = (text: string): unknown =>
    text === '' ? undefined : type.startsWith('application/json') ? JSON.parse(text) : text;
  const body = text === null ? 'a stream' : read(text);
  expect(answerFault(method, path, status, type, body)).toBeNull();
  if (status === 201) expect(headers.get('location')).toMatch(/^(?!.*undefined)(https?:\/)?\/\S+$/);
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  return { status, headers, body };
}

/** Sends requests to the service at `origin` and checks each answer against the OpenAPI document. */
export const callsTo =
  (origin: string): Service['call'] =>
  async (method, path, options = {}) => {
    const body = sentBody(options);
    const response = await fetch(origin + path, {
      method,
      headers: headersOf(options),
      redirect: 'manual',
      ...(body === undefined ? {} : { body: body as string }),
    });
    // A stream does not end; `followEvents` reads it.
    const streams = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const text = streams ? null : await response.text();
    if (streams) await response.body?.cancel();
    return checkedAnswer(method, path, response.status, response.headers, text);
  };

/** Hands requests to a service in this process, without a socket. It checks answers as `callsTo` does. */
const callsInto =
  (app: FastifyInstance): Service['call'] =>
  async (method, path, options = {}) => {
    const payload = sentBody(options);
    const answer = await app.inject({
      method: method as 'GET',
      url: path,
      headers: headersOf(options),
      ...(payload === undefined ? {} : { payload: typeof payload === 'string' ? payload : Buffer.from(payload) }),
    });
    const headers = new Headers();
    for (const [name, value = ''] of Object.entries(answer.headers))
      for (const line of [value].flat()) headers.append(name, String(line));
    return checkedAnswer(method, path, answer.statusCode, headers, answer.payload);
  };

/** Settings of every process of the tests. Rate limits are high; tests of rates set their own. */
export const environment = {
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(import.meta.dirname, '../../node_modules/.cache/compiled'),
  PORT: '0',
  LOG_LEVEL: 'error',
  SECRET_KEY: '0123456789abcdefghijklmnopqrstuv',
  STRIPE_WEBHOOK_SECRET: 'whsec_test',
  RATE_REQUEST: 'credential=100000/60',
  RATE_START_CHECKOUT: 'account=100000/60',
  RATE_INVITE_MEMBER: 'account=100000/60,address=100000/60,email=100000/60',
  RATE_CREATE_JOB: 'account=100000/60,key=100000/60',
  RATE_OPEN_INTAKE: 'account=100000/60',
  RATE_ADD_MESSAGE: 'account=100000/60',
  RATE_CHANGE_DRAFT: 'account=100000/60,key=100000/60',
  RATE_WRITE_COMMENT: 'account=100000/60,key=100000/60',
  RATE_ASK_TO_LOOK: 'account=100000/60',
  RATE_SEND_MESSAGE: 'account=100000/60,key=100000/60',
  RATE_READ_PUBLIC: 'address=100000/60',
  RATE_LIST_PLANS: 'address=100000/60',
  RATE_CHECK_INTENT: 'address=100000/60',
  RATE_SIGN_IN: 'address=100000/60,email=100000/60',
  RATE_SIGN_UP: 'address=100000/60',
  RATE_SEND_MAIL: 'address=100000/60,email=100000/60',
  RATE_GUESS_PASSWORD: 'person=100000/60',
  RATE_RECEIVE_MAIL: 'recipient=100000/60',
  RATE_PROVE_IDENTITY: 'person=100000/60',
  RATE_USE_MAIL_TOKEN: 'address=100000/60',
  RATE_USE_UPLOAD_PAGE: 'address=100000/60',
  RATE_TEST_WEBHOOK: 'account=100000/60',
  RATE_CREATE_API_KEY: 'account=100000/60',
  RATE_AUTHORIZE_APP: 'address=100000/60',
  RATE_CONNECT_APP: 'address=100000/60',
  RATE_ENTER_DEVICE_CODE: 'person=100000/60,address=100000/60',
  RATE_APP_TOKEN: 'address=100000/60',
  RATE_REGISTER_APP: 'address=100000/60',
  RATE_CREATE_REVIEW_LINK: 'account=100000/60',
  RATE_WRITE_GUEST_COMMENT: 'link=100000/60',
  RATE_OPEN_REVIEW: 'link=100000/60',
  RATE_READ_EVENTS: 'key=100000/60',
  RATE_OPEN_STREAM: 'account=100000/60,key=100000/60',
  RATE_MCP_CALL: 'key=100000/60',
  RATE_BAD_CREDENTIAL: 'address=100000/60',
};

/** By a computed path: `--changed` would follow any other one from each test to each room. */
const load = (file: string): Promise<unknown> => import(join(import.meta.dirname, '../../server', file));

let ofWorker: Promise<Service> | undefined;

/**
 * The service of this worker process, for its test files one after another. What other files left is in its
 * database. It ends with the worker. To make one for each file took a third of the processor time.
 */
export async function sharedService(): Promise<Service> {
  const service = await (ofWorker ??= createService());
  if (service.context.state.draining) throw new Error('An earlier file closed an app of the shared service.');
  service.emails.length = 0;
  return { ...service, close: async () => {} };
}

type Terms = { databaseUrl?: string; answerWithin?: number; limits?: StoreDeadlines };

/**
 * A service with a copy of the migrated database on a free port. Pass `databaseUrl` to share a database, and
 * DATABASE_SCHEMA for another installation on it.
 */
export async function createService(
  env: Record<string, string> = {},
  { databaseUrl, answerWithin = patience.answer, limits = patience }: Terms = {},
): Promise<Service> {
  const folder = await mkdtemp(join(inject('folder'), 'service-'));
  const shared = databaseUrl ?? (await copyTemplate());
  const { url: servedUrl, variables } = databaseSettings(shared);
  const config = readConfig({
    ...environment,
    PUBLIC_URL: 'http://localhost:3000',
    DATA_DIR: folder,
    ...variables,
    ...env,
  });
  const url = env.DATABASE_SCHEMA ? urlOfSchema(shared, env.DATABASE_SCHEMA) : shared;
  if (env.DATABASE_SCHEMA) await migrate(url);
  const emails: Email[] = [];
  const log = createLog(config.logLevel, pino.destination({ dest: 2, sync: true }));
  const { createContext } = (await load('start/context.ts')) as typeof Start;
  const { createApp } = (await load('app.ts')) as typeof App;
  const context = await createContext(config, config.databaseUrl ?? servedUrl, log, limits);
  context.answerWithin = answerWithin;
  const { send } = context.mail;
  context.mail.send = async (email, ended) => {
    emails.push(email);
    await send(email, ended);
  };
  const app = await createApp(context);
  const origin = await app.listen({ host: config.host, port: config.port });
  const afterMails =
    (call: Service['call']): Service['call'] =>
    async (...request) => {
      const answer = await call(...request);
      await context.mailSender.idle();
      return answer;
    };

  return {
    url: origin,
    databaseUrl: url,
    context,
    emails,
    call: afterMails(callsTo(origin)),
    inject: afterMails(callsInto(app)),
    async close() {
      // A client may hold a connection on which it has sent no request.
      const cutOff = setTimeout(() => app.server.closeAllConnections(), 1_000);
      await app.close();
      clearTimeout(cutOff);
      await context.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
