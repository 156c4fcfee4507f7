import { issuerPath, resourceOf } from '../../contract/oauth.ts';
import type { Db } from '../db/pool.ts';
import { type Form, type FormAnswer, oauthError } from './form.ts';
import type { Provider } from './provider.ts';
import { endGrantOf, findToken, findTokenOfCode } from './stored-token.ts';

type Dependencies = { db: Db; provider: Provider; publicUrl: string };
type Asked = { id: string };

const ended = () => oauthError('invalid_grant', 'The access has ended. Ask the person again.');

/** The library checks client, redirect, verifier and resource. What grants decide is checked here. */
export async function issueTokens(dependencies: Dependencies, form: Form, { id }: Asked): Promise<FormAnswer> {
  const { db } = dependencies;
  const spent = await findSpent(db, form);
  if (spent) {
    await endGrantOf(db, spent, id);
    return ended();
  }
  const refresh = form.get('grant_type') === 'refresh_token' ? await findToken(db, form.get('refresh_token') ?? '') : null;
  if (refresh && !refresh.live) return ended();
  const answer = await exchange(dependencies, form);
  if (answer.status !== 200) return answer;
  const { access_token } = answer.body as { access_token?: unknown };
  const issued = typeof access_token === 'string' ? await findToken(db, access_token) : null;
  return issued?.live ? answer : ended();
}

/** A code or refresh token that comes a second time was stolen, or its first use was. */
async function findSpent(db: Db, form: Form) {
  if (form.get('grant_type') === 'authorization_code') return findTokenOfCode(db, form.get('code') ?? '');
  if (form.get('grant_type') !== 'refresh_token') return null;
  const token = await findToken(db, form.get('refresh_token') ?? '');
  return token?.rotated && token.client_id === form.get('client_id') ? token : null;
}

/** Apps have no secret: an Authorization header is not passed on. */
async function exchange({ provider, publicUrl }: Dependencies, form: Form): Promise<FormAnswer> {
  if (!form.has('resource')) form.append('resource', resourceOf(publicUrl));
  const answer = await provider(
    new Request(`${publicUrl}${issuerPath}/oauth2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form.toString(),
    }),
  );
  const body: unknown = await answer.json().catch(() => null);
  if (typeof body !== 'object' || body === null) return oauthError('server_error', 'Try again.', 503);
  return { status: answer.status, body };
}
