import type { FastifyBaseLogger } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Auth } from '../accounts/auth.ts';
import type { KeyCaller, Person, WorkerCaller } from '../http/caller.ts';
import { readCredential } from '../http/credential.ts';
import { findPerson } from '../accounts/session.ts';
import type { Db } from '../db/pool.ts';
import { createKeyFinder } from '../keys/api-key.ts';
import { readKey } from '../keys/plaintext-key.ts';
import { createWorkerFinder, workerKeyLead } from '../keys/worker-key.ts';

type Parts = { db: Db; auth: Auth; log: FastifyBaseLogger; config: { apiKeyLead: string } };
type Authenticate = (request: IncomingMessage) => Promise<KeyCaller | WorkerCaller | Person | null>;

/** Who is asking: an API key or a worker key by its lead, else a session. Null for no credential and for any that does not hold. */
export function createAuthenticate({ db, auth, log, config: { apiKeyLead } }: Parts): Authenticate {
  const findKey = createKeyFinder(db, log);
  const findWorker = createWorkerFinder(db, log);
  return async (request) => {
    const credential = readCredential(request, auth.cookieName);
    if (!credential) return null;
    const lead = 'bearer' in credential ? credential.bearer.split('_')[0] : undefined;
    if ('cookie' in credential || (lead !== apiKeyLead && lead !== workerKeyLead))
      return findPerson(db, auth, credential);
    const key = readKey(lead, credential.bearer);
    return key && (lead === workerKeyLead ? findWorker(key) : findKey(key));
  };
}
