import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { type As, authorizationOf, type Got, type Service } from './harness.ts';
import { post } from './jobs.ts';
import type { TestPerson } from './people.ts';
import { type App, publicUrl, redirectUri, requestOf } from './app-documents.ts';
import { newId, showId } from '../../server/lib/id.ts';

/** Where the browser of the person is sent. */
export async function authorize(
  service: Service,
  query: Record<string, string> | string,
  as: { token: string } | null,
): Promise<URL> {
  const search = typeof query === 'string' ? query : String(new URLSearchParams(query));
  const answer = await fetch(`${service.url}/api/auth/oauth2/authorize?${search}`, {
    redirect: 'manual',
    headers: authorizationOf(as?.token ?? null),
  });
  return new URL(answer.headers.get('location') ?? `/none?status=${answer.status}`, publicUrl);
}

export async function postForm(service: Service, path: string, form: Record<string, string> | string) {
  const answer = await fetch(`${service.url}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: typeof form === 'string' ? form : String(new URLSearchParams(form)),
  });
  const body = (await answer.json()) as Record<string, string>;
  return { status: answer.status, body };
}

type Choice = { scopes?: string[]; days?: number; accountId?: string; query?: Record<string, string> };

/** The person allows. Returns the request and the code. */
export async function allow(service: Service, person: TestPerson, app: App, choice: Choice = {}) {
  const { scopes = ['api:read'], days, accountId = person.accountId, query = {} } = choice;
  const page = await authorize(service, { ...requestOf(app), scope: scopes.join(' '), ...query }, person);
  const request = page.searchParams.get('request') ?? '';
  const body = { request, allow: true, account_id: showId('acct', accountId), scopes, ...(days ? { days } : {}) };
  const decided = await service.call('POST', '/api/auth/connection/decide', { as: person, body });
  const back = decided.status === 200 ? new URL(decided.body.redirect_to as string) : null;
  return { request, decided, back, code: back?.searchParams.get('code') ?? '' };
}

export const codeForm = ({ clientId, verifier }: App, code: string): Record<string, string> => ({
  grant_type: 'authorization_code',
  client_id: clientId,
  code,
  code_verifier: verifier,
  redirect_uri: redirectUri,
  resource: `${publicUrl}/mcp`,
});

export type Tokens = { access_token: string; refresh_token: string; scope: string; expires_in: number };

/** An app that a person let in, with its tokens. */
export async function connectApp(service: Service, person: TestPerson, app: App, choice: Choice = {}) {
  const { code } = await allow(service, person, app, choice);
  const { body } = await postForm(service, '/oauth2/token', codeForm(app, code));
  return body as unknown as Tokens;
}

export const refresh = (service: Service, { clientId }: App, refresh_token: string) =>
  postForm(service, '/oauth2/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token });

/** A grant of the person, without an app behind it. Its id, as the API shows it. */
export async function insertGrant({ context }: Service, { accountId, userId }: TestPerson): Promise<string> {
  const id = newId();
  await context.db
    .insertInto('api_keys')
    .values({
      id,
      account_id: accountId,
      created_by: userId,
      name: 'Painter',
      prefix: randomBytes(4).toString('hex'),
      secret_sha256: randomBytes(32),
      scopes: ['api:read'],
      expires_at: sql<Date>`now() + interval '30 days'`,
      app_client_id: 'https://painter.example/app.json',
    })
    .execute();
  return showId('key', id);
}

/** The request of a command line that waits, for the person. */
export async function deviceRequest(service: Service, as: string): Promise<string> {
  const { body } = await postForm(service, '/device/code', { client_id: 'atelier-cli' });
  return (await service.call('GET', `/api/auth/device?code=${body.user_code}`, { as })).body.request;
}

const studioApps = '/api/operator/v1/apps';

export const createStudioApp = (service: Service, as: As, body: object = {}, key?: string): Promise<Got> =>
  post(service, as, studioApps, { name: 'House app', redirect_uris: [redirectUri], ...body }, key);

export const listStudioApps = (service: Service, as: As, query = ''): Promise<Got> =>
  service.call('GET', studioApps + query, { as });

export const endStudioApp = (service: Service, as: As, id: string): Promise<Got> =>
  service.call('DELETE', `${studioApps}/${id}`, { as });
