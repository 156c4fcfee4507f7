import type { IncomingMessage } from 'node:http';
import type { Db } from '../db/pool.ts';
import type { Guest } from '../http/caller.ts';
import { readKey } from '../keys/plaintext-key.ts';
import { findGuest, reviewTokenLead } from '../keys/review-link.ts';

/** Finds the guest by `Authorization: Review <token>`. Null without a token that works. Ignores cookies. */
export async function authenticateGuest(db: Db, request: IncomingMessage): Promise<Guest | null> {
  const token = readToken(request);
  const parts = token && readKey(reviewTokenLead, token);
  return parts ? findGuest(db, parts) : null;
}

/** A repeated header counts as none, because another reader might pick the other one. */
function readToken({ rawHeaders }: IncomingMessage): string | null {
  const [value = '', ...others] = rawHeaders.filter(
    (_, at) => at % 2 === 1 && /^authorization$/i.test(rawHeaders[at - 1] ?? ''),
  );
  return others.length > 0 ? null : (/^Review +(\S+)$/i.exec(value)?.[1] ?? null);
}
