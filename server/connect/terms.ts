import type { Db, Trx } from '../db/pool.ts';
import type { Auth } from '../sign-in/auth.ts';
import type { FetchDocument } from './app-document.ts';

/** Apps get a refresh token with it. It is no right of its own. */
export const refreshScope = 'offline_access';

export type Provider = (request: Request) => Promise<Response>;

export type Dependencies = { auth: Auth; publicUrl: string };
export type Terms = {
  db: Db | Trx;
  /** Null: documents that were read before. */
  fetchDocument: FetchDocument | null;
  /** The grant that a consent makes. */
  grantId?: string;
};
