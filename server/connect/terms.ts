import { scopes } from '../../contract/developer/keys.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { Auth } from '../sign-in/auth.ts';
import type { FetchDocument } from './app-document.ts';

/** Apps get a refresh token with it. It is no right of its own. */
export const refreshScope = 'offline_access';

/**
 * An app that names no right asks for all of them, and the person chooses. One that orders also reads, and
 * each gets a refresh token.
 */
export function askedScope(text: string | null): string {
  const named = (text ?? '').split(' ').filter((scope) => scope !== '' && scope !== refreshScope);
  const rights = named.length === 0 ? scopes : named.includes('api:write') ? ['api:read', ...named] : named;
  return [...new Set([...rights, refreshScope])].join(' ');
}

export type Provider = (request: Request) => Promise<Response>;

export type Dependencies = { auth: Auth; publicUrl: string };
export type Terms = {
  db: Db | Trx;
  /** Null: documents that were read before. */
  fetchDocument: FetchDocument | null;
  /** The grant that a consent makes. */
  grantId?: string;
};
