import { issuerPath } from '../../contract/developer/oauth.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { findClientName } from './client.ts';
import { type Form, type FormAnswer, oauthError, resourcesOf } from './form.ts';
import { accessTokenLead, refreshTokenLead, tokenHash } from '../keys/app-token.ts';
import { deviceCodeGrant } from './metadata.ts';
import { openProvider } from './provider.ts';
import type { Dependencies as ProviderDependencies, Provider } from './terms.ts';
import { refreshTokens } from './refresh-tokens.ts';
import {
  endGrantOf,
  findRefreshToken,
  findToken,
  findTokenOfCode,
  lockCode,
  type StoredToken,
} from './stored-token.ts';

type Dependencies = ProviderDependencies & { db: Db; provider: Provider };
type Sender = { id: string };

const ended = () => oauthError('invalid_grant', 'The access has ended. Ask the person again.');

/** The library checks client, redirect, verifier and resource. What grants decide is checked here. */
export async function issueTokens(dependencies: Dependencies, form: Form, { id }: Sender): Promise<FormAnswer> {
  const { db } = dependencies;
  const grantType = form.get('grant_type');
  const refresh = grantType === 'refresh_token' ? await findRefreshToken(db, form.get('refresh_token') ?? '') : null;
  if (!refresh && !(await isKnownClient(db, form.get('client_id')))) return unknownClient();
  if (grantType === 'authorization_code') return exchangeCode(dependencies, form, id);
  if (grantType === 'refresh_token') return refresh ? exchangeRefresh(dependencies, form, refresh, id) : unfit();
  const grantId = await grantOfDevice(db, form);
  const answer = await exchange(dependencies, form);
  if (answer.status === 200 && grantId !== null) await bindTokens(db, answer.body, grantId);
  return whileLive(db, answer);
}

async function exchangeRefresh(dependencies: Dependencies, form: Form, stored: StoredToken, id: string) {
  const { db } = dependencies;
  if (stored.client_id !== form.get('client_id')) return unfit();
  if (!stored.live) return ended();
  return refreshTokens(db, form, stored, id, (trx) => exchangeIn(trx, dependencies, form));
}

/** Of two concurrent exchanges of a code, the second waits for the first and then ends its tokens. */
const exchangeCode = (dependencies: Dependencies, form: Form, id: string) =>
  transact(dependencies.db, async (trx) => {
    const code = form.get('code') ?? '';
    await lockCode(trx, code);
    const spent = await findTokenOfCode(trx, code);
    if (spent) {
      await endGrantOf(trx, spent, id);
      return ended();
    }
    return exchangeIn(trx, dependencies, form);
  });

/** What the library writes is part of the transaction. */
async function exchangeIn(trx: Trx, dependencies: Dependencies, form: Form): Promise<FormAnswer> {
  const provider = openProvider(dependencies, { db: trx, fetchDocument: null });
  return whileLive(trx, await exchange({ ...dependencies, provider }, form));
}

/** The grant may have ended since it was read. */
async function whileLive(db: Db | Trx, answer: FormAnswer): Promise<FormAnswer> {
  if (answer.status !== 200) return answer;
  const { access_token } = answer.body as { access_token?: unknown };
  const issued = typeof access_token === 'string' ? await findToken(db, access_token) : null;
  return issued?.live ? answer : ended();
}

/** The library redeems the code of a program without a browser, but does not know of grants. */
async function grantOfDevice(db: Db, form: Form): Promise<string | null> {
  if (form.get('grant_type') !== deviceCodeGrant) return null;
  const device = await db
    .selectFrom('oauth_device_codes')
    .select('grant_id')
    .where('device_code', '=', form.get('device_code') ?? '')
    .executeTakeFirst();
  return device?.grant_id ?? null;
}

/** Until then the tokens belong to no grant, so they open nothing. */
async function bindTokens(db: Db, body: { access_token?: unknown; refresh_token?: unknown }, grantId: string) {
  const [access, refresh] = [
    tokenHash(accessTokenLead, String(body.access_token)),
    tokenHash(refreshTokenLead, String(body.refresh_token)),
  ];
  const bound = { reference_id: grantId };
  if (access !== null) await db.updateTable('oauth_access_tokens').set(bound).where('token', '=', access).execute();
  if (refresh !== null) await db.updateTable('oauth_refresh_tokens').set(bound).where('token', '=', refresh).execute();
}

/** Apps have no secret: an Authorization header is not passed on, nor is what would prove an app by a key. */
async function exchange({ provider, publicUrl }: Dependencies, form: Form): Promise<FormAnswer> {
  const resources = resourcesOf(publicUrl, form);
  form.delete('resource');
  for (const resource of resources) form.append('resource', resource);
  for (const name of ['client_assertion', 'client_assertion_type']) form.delete(name);
  const answer = await provider(
    new Request(`${publicUrl}${issuerPath}/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    }),
  );
  const body: unknown = await answer.json().catch(() => null);
  if (typeof body !== 'object' || body === null) return oauthError('server_error', 'Try again.', 503);
  return isUnfit(answer.status, body) ? unfit() : { status: answer.status, body };
}

/**
 * The library has other words for a wrong verifier and for a text that is no refresh token. Apps begin again
 * only at `invalid_grant`, which RFC 7636 and RFC 6749 require here.
 */
const isUnfit = (status: number, body: object): boolean =>
  'error' in body && (body.error === 'invalid_token' || (status === 401 && body.error === 'invalid_request'));

/** Without an id the library says that it is missing. */
const isKnownClient = async (db: Db, clientId: string | null) =>
  clientId === null || (await findClientName(db, clientId)) !== null;

/** RFC 6749, 5.2: an app that gets this error registers again. */
const unknownClient = () =>
  oauthError('invalid_client', 'No app has this client_id. Register it, or connect again.', 401);

const unfit = () => oauthError('invalid_grant', 'The code, its verifier or the refresh token is wrong.');
