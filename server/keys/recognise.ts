import type { FastifyBaseLogger } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Auth } from '../accounts/auth.ts';
import type { KeyCaller, Person } from '../accounts/caller.ts';
import { readCredential } from '../accounts/credential.ts';
import { findPerson } from '../accounts/session.ts';
import type { Db } from '../kit/db.ts';
import { openKeyFinder } from './api-key.ts';
import { readKey } from './plaintext-key.ts';

type Parts = { db: Db; auth: Auth; log: FastifyBaseLogger; config: { apiKeyLead: string } };
type Recognise = (request: IncomingMessage) => Promise<KeyCaller | Person | null>;

/** Who is asking: an API key by its lead, else a session. Null for no credential and for any that does not hold. */
export function openRecognise({ db, auth, log, config: { apiKeyLead } }: Parts): Recognise {
  const findKey = openKeyFinder(db, log);
  return async (request) => {
    const credential = readCredential(request, auth.cookieName);
    if (!credential) return null;
    if ('cookie' in credential || !credential.bearer.startsWith(`${apiKeyLead}_`))
      return findPerson(db, auth, credential);
    const key = readKey(apiKeyLead, credential.bearer);
    return key && findKey(key);
  };
}
