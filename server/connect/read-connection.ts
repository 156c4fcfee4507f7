import type { readConnection as endpoint } from '../../contract/connected-apps.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { Db } from '../db/pool.ts';
import { badRequest } from '../http/refusal.ts';
import type { Request } from '../http/request.ts';
import type { Signer } from '../lib/signer.ts';
import { readRequest } from './app-request.ts';
import { showAsked } from './asked.ts';
import { findClientName } from './client.ts';

export async function readConnection(
  { db, signer }: { db: Db; signer: Signer },
  { caller, query: { request } }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const asked = readRequest(signer, request);
  const name = asked && (await findClientName(db, asked.clientId));
  if (!asked || name === null) throw badRequest('request', 'is no request of an app, or is over');
  const { clientId, redirectUri, scopes, expiresAt } = asked;
  const { host, protocol } = new URL(redirectUri);
  const shown = { request, clientId, name, redirectHost: host || protocol, scopes, expiresAt };
  return { status: 200, body: await showAsked(db, caller.userId, shown) };
}
