import { hash } from 'node:crypto';
import { keyPattern } from '../../contract/typed.ts';

/**
 * Forms that only credentials of this service have: API and worker keys, tokens of review links, of connected
 * apps and of sessions, secrets of webhooks.
 */
const credential = new RegExp(
  String.raw`(?<![A-Za-z0-9])(?:(?:${keyPattern}|at[of]_[A-Za-z]{32})(?![0-9A-Za-z])|whsec_[\w+/]{43}|\w{32}\.[\w+/%]{43})`,
);

/** Tokens of mails and upload pages: 32 random bytes in base64url, which other programs send as ids, too. */
const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);

/** Whether a text can stand in logs, events and errors. */
export const isPublic = (text: string): boolean => !credential.test(text) && !isToken(text);

/** An Idempotency-Key as it is stored. If it looks like a credential, only its hash is stored. */
export const storedKey = (key: string): string =>
  credential.test(key) ? `sha256:${hash('sha256', key, 'base64url')}` : key;
