import type { readConnection as endpoint } from '../../contract/developer/connected-apps.ts';
import type { Db } from '../db/pool.ts';
import { badRequest } from '../http/refusal.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { readRequest } from './app-request.ts';
import { showAsked } from './show-asked.ts';
import { findClientName } from './client.ts';

export async function readConnection(
  { db, signer }: { db: Db; signer: Signer },
  { caller, query: { request } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const appRequest = readRequest(signer, request);
  const name = appRequest && (await findClientName(db, appRequest.clientId));
  if (!appRequest || name === null) throw badRequest('request', 'is no request of an app, or is over');
  const { clientId, redirectUri, scopes, expiresAt } = appRequest;
  const { host, protocol } = new URL(redirectUri);
  const isWeb = /^https?:$/.test(protocol);
  const redirectHost = isWeb ? host : host === '' ? protocol : `${protocol}//${host}`;
  const shown = { request, clientId, name, redirectHost, scopes, expiresAt };
  return { status: 200, body: await showAsked(db, caller.userId, shown) };
}
