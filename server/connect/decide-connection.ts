import type { decideConnection as endpoint } from '../../contract/developer/connected-apps.ts';
import { issuerPath } from '../../contract/developer/oauth.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { badBody } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { readId } from '../lib/id.ts';
import type { Signer } from '../lib/signer.ts';
import type { Auth } from '../sign-in/auth.ts';
import { lockClientName } from './client.ts';
import { approveDevice, denyDevice, lockDevice, readDeviceToken } from './device.ts';
import { makeGrant } from './grant.ts';
import { nameIssuer } from './metadata.ts';
import { openProvider } from './provider.ts';
import { type Provider, refreshScope } from './terms.ts';
import { type AppRequest, readRequest } from './app-request.ts';

type Dependencies = {
  auth: Auth;
  db: Db;
  signer: Signer;
  publicUrl: string;
  config: { apiKeyLead: string };
};
type Asking = Request<typeof endpoint>;

/** Grant and code are made in one transaction: the library refuses a request that it did not sign. */
export async function decideConnection(
  dependencies: Dependencies,
  request: Asking,
): Promise<AnswerOf<typeof endpoint>> {
  const { db, signer } = dependencies;
  const { body } = request;
  const deviceId = readDeviceToken(signer, body.request, request.caller.userId);
  if (deviceId !== null) return decideDevice(dependencies, request, deviceId);
  const appRequest = readRequest(signer, body.request);
  if (!appRequest) throw badBody([{ location: '/request', message: 'is no request of an app, or is over' }]);
  if (appRequest.isRefused) return { status: 200, body: { redirect_to: backToApp(appRequest, body.allow) } };
  if (!body.allow) {
    const provider = openProvider(dependencies, { db, fetchDocument: null });
    return { status: 200, body: { redirect_to: await consent(dependencies, provider, request, appRequest, null) } };
  }
  const scopes = grantedScopes(appRequest.scopes, body.scopes);
  return transact(db, async (trx) => {
    const grantId = await grant(dependencies, trx, request, { clientId: appRequest.clientId, scopes });
    const provider = openProvider(dependencies, { db: trx, fetchDocument: null, grantId });
    const redirect_to = await consent(dependencies, provider, request, appRequest, scopes);
    await trx.deleteFrom('oauth_consents').where('reference_id', '=', grantId).execute();
    return { status: 200, body: { redirect_to } };
  });
}

/** With the error of the request, which stays refused whatever the person says. */
function backToApp({ redirectUri }: AppRequest, allow: boolean): string {
  if (!allow && leadsToApp(redirectUri)) return redirectUri;
  throw badBody([{ location: '/request', message: 'is refused; begin again in the app' }]);
}

type Scopes = AppRequest['scopes'];

/** The person may grant fewer scopes than the app requested, never more. */
function grantedScopes(appRequest: Scopes, chosen: Scopes = ['api:read']): Scopes {
  if (chosen.every((scope) => appRequest.includes(scope))) return chosen;
  throw badBody([{ location: '/scopes', message: 'must be among those that the app asks for' }]);
}

type Granted = { clientId: string; scopes: Scopes };

async function grant(
  { config }: Dependencies,
  trx: Trx,
  { caller, body, cause }: Asking,
  { clientId, scopes }: Granted,
): Promise<string> {
  const accountId = readId('acct', body.account_id ?? '');
  if (accountId === null) throw badBody([{ location: '/account_id', message: 'is required' }]);
  const name = await lockClientName(trx, clientId);
  if (name === null) throw badBody([{ location: '/request', message: 'is of an app that is not known' }]);
  const { userId } = caller;
  const days = body.days ?? 30;
  return makeGrant(trx, { userId, accountId, clientId, name, scopes, days }, config.apiKeyLead, cause);
}

/** The waiting program fetches its answer itself. */
async function decideDevice(
  dependencies: Dependencies,
  request: Asking,
  id: string,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body } = request;
  return transact(dependencies.db, async (trx) => {
    const device = await lockDevice(trx, id);
    if (!device) throw badBody([{ location: '/request', message: 'is of a program that no longer waits' }]);
    if (body.allow) {
      const scopes = grantedScopes(device.scopes, body.scopes);
      const grantId = await grant(dependencies, trx, request, { clientId: device.clientId, scopes });
      await approveDevice(trx, device, { userId: caller.userId, grantId, scopes });
    } else await denyDevice(trx, device);
    return { status: 200, body: { redirect_to: null } };
  });
}

/** Null scopes deny. The library checks its signature and the session once more. */
async function consent(
  { auth, publicUrl }: Dependencies,
  provider: Provider,
  { caller, headers }: Asking,
  { query }: AppRequest,
  scopes: Scopes | null,
): Promise<string> {
  const session = auth.sessionHeaders(headers, caller.byCookie);
  session.set('content-type', 'application/json');
  session.set('origin', new URL(publicUrl).origin);
  const accepted = scopes === null ? {} : { scope: [...scopes, refreshScope].join(' ') };
  const answer = await provider(
    new Request(`${publicUrl}${issuerPath}/oauth2/consent`, {
      method: 'POST',
      headers: session,
      body: JSON.stringify({ accept: scopes !== null, oauth_query: query, ...accepted }),
    }),
  );
  const answerBody: unknown = await answer.json();
  const url = typeof answerBody === 'object' && answerBody !== null && 'url' in answerBody ? answerBody.url : null;
  if (answer.ok && typeof url === 'string' && isAnswer(url, scopes !== null))
    return nameIssuer(url, publicUrl, new URLSearchParams(query).get('iss'));
  throw badBody([{ location: '/request', message: 'is refused; begin again in the app' }]);
}

/** Only a redirect with a code, or with the denial, leaves the page. */
function isAnswer(url: string, allowed: boolean): boolean {
  if (!leadsToApp(url)) return false;
  const { searchParams } = new URL(url);
  return allowed ? searchParams.has('code') : searchParams.get('error') === 'access_denied';
}

const leadsToApp = (url: string): boolean =>
  URL.canParse(url) && !/^(javascript|data|vbscript|file):$/.test(new URL(url).protocol);
