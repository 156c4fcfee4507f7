import { type Endpoint, isOfAccount } from '../../contract/endpoint.ts';
import type { Actor } from '../../contract/moves.ts';
import { newRequestId } from '../lib/id.ts';
import type { CallerOf } from './caller.ts';

/** Who caused a change and by which request. The credential and address are only for the audit. */
export type Cause = {
  actor: Actor;
  requestId: string;
  userId: string | null;
  apiKeyId: string | null;
  workerKeyId: string | null;
  /** A keyed hash, so that addresses can be compared but not read. */
  addressHash: string | null;
};

type From = { caller: CallerOf<Endpoint['auth']>; requestId: string; addressHash: string };

export const causeOf = (auth: Endpoint['auth'], { caller, requestId, addressHash }: From): Cause => ({
  actor: actorOf(auth, caller),
  requestId,
  userId: caller?.method === 'session' ? caller.userId : null,
  apiKeyId: caller?.method === 'api_key' ? caller.keyId : null,
  workerKeyId: caller?.method === 'worker_key' ? caller.keyId : null,
  addressHash,
});

function actorOf(auth: Endpoint['auth'], caller: From['caller']): Actor {
  if (caller?.method === 'worker_key') return 'worker';
  const inView = isOfAccount({ auth }) && caller?.method === 'session' && caller.view !== null;
  return auth === 'operator' || auth === 'desk' || inView ? 'operator' : 'customer';
}

/** The cause of changes that the service makes on its own. */
export const byService = (requestId = newRequestId()): Cause => ({
  actor: 'service',
  requestId,
  userId: null,
  apiKeyId: null,
  workerKeyId: null,
  addressHash: null,
});
