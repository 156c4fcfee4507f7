import { betterAuth } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { bearer } from 'better-auth/plugins/bearer';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { sessionCookieName } from '../../contract/session-cookie.ts';
import type { Db } from '../db/pool.ts';
import { isRefused } from '../http/work.ts';
import { newId } from '../lib/id.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import { hashPassword, isPassword } from './hash-password.ts';
import { openToken } from './session-token.ts';

type Parts = { db: Db; publicUrl: string; secretKeys: readonly string[]; log: FastifyBaseLogger };

/** How long a session lasts, in seconds. It is not prolonged by use: reading it, which is our own work, never writes. */
const sessionSeconds = 30 * 24 * 3600;
/** Carries the caller's address to the library; made by us, never taken from a request. */
const addressHeader = 'x-caller-address';

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

/** Our names for the tables and columns of the library; its `account` is our `credential`. */
const tables = {
  user: { fields: { ...times, emailVerified: 'email_verified' } },
  session: {
    expiresIn: sessionSeconds,
    disableSessionRefresh: true, // the end of a session stays where it was
    fields: {
      ...times,
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
    },
  },
  account: {
    modelName: 'credential',
    fields: {
      ...times,
      accountId: 'account_id',
      providerId: 'provider_id',
      userId: 'user_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
    },
  },
  verification: {
    fields: { ...times, expiresAt: 'expires_at' },
    storeIdentifier: 'hashed' as const, // so that a copy of the database signs nobody in
    disableCleanup: true, // it would go by the clock of the process; delete-expired-tokens.ts does it
  },
};

const twoFactorTables = {
  user: { fields: { twoFactorEnabled: 'second_factor' } },
  twoFactor: {
    modelName: 'two_factor',
    fields: {
      userId: 'user_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
};

/** The number by which the library finds the key that encrypted something, also after another one was put before it. */
const versionOf = (secret: string) => createHash('sha256').update(secret).digest().readUInt32BE() >>> 1;

const sessionCookie = (publicUrl: string) => ({
  name: sessionCookieName(publicUrl),
  attributes: { secure: publicUrl.startsWith('https:') },
});

/** The library repeats this check at its next call, which fails by itself while there is no database. */
const levelOf = (message: string) => (message.startsWith('Could not validate the database schema') ? 'warn' : 'error');

/**
 * The sign-in library (better-auth) on our tables. It hashes passwords, makes sessions and judges second factors; the tokens of mails,
 * accounts, members and invitations are ours. Its HTTP handler is not mounted: only endpoints of the contract are open.
 */
function openLibrary({ db, publicUrl, log }: Parts, secrets: readonly string[]) {
  return betterAuth({
    baseURL: publicUrl,
    basePath: '/api/auth',
    // As a list, because a BETTER_AUTH_SECRETS in the environment would go before a single one.
    secrets: secrets.map((value) => ({ version: versionOf(value), value })),
    database: { db, type: 'postgres', schemaName: 'auth' },
    plugins: [bearer({ requireSignature: true }), twoFactor({ issuer: 'Atelier', schema: twoFactorTables })],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true, // sign-up.ts makes the user, in one transaction
      minPasswordLength: 10,
      maxPasswordLength: 256, // the contract counts 128 code points, the library UTF-16 units
      password: { hash: hashPassword, verify: isPassword },
    },
    ...tables,
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      // Named whole, because of the prefixes the library knows only `__Secure-`.
      useSecureCookies: false,
      cookies: { session_token: sessionCookie(publicUrl) },
      database: { generateId: newId, joins: true },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    // Below `error` it logs e-mail addresses. What fails because its request was refused is no fault.
    logger: {
      level: 'error',
      log: (_, message, ...args) => isRefused() || log[levelOf(message)]({ err: args[0] }, message),
    },
  });
}

/** A key of its own for each secret key, so that sessions, cursors and CSRF tokens never sign each other. */
const librarySecrets = (secretKeys: readonly string[]) =>
  [...new Set(secretKeys)].map((key) => createHmac('sha256', key).update('sessions').digest('hex'));

/** What the library encrypts begins with the id of its key, that of the newest first. */
export const libraryKeyIds = (secretKeys: readonly string[]): string[] =>
  librarySecrets(secretKeys).map((secret) => `$ba$${versionOf(secret)}$`);

export type Auth = ReturnType<typeof createAuth>;

export function createAuth(parts: Parts) {
  const { publicUrl } = parts;
  const secrets = librarySecrets(parts.secretKeys);
  if (secrets.length === 0) throw new Error('Sessions need a key.');
  const library = openLibrary(parts, secrets);
  const { name: cookieName, attributes } = sessionCookie(publicUrl);

  const keys = new Map(secrets.map((value) => [versionOf(value), value]));
  const key = { keys, currentVersion: versionOf(secrets[0] ?? '') };

  return {
    api: library.api,
    keyIds: libraryKeyIds(parts.secretKeys),
    /** The same text under the newest key. */
    reencrypt: async (data: string) => symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) }),
    cookieName,
    hashPassword,
    isPassword,
    /** What ends the cookie in the browser. */
    endCookie: `${cookieName}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${attributes.secure ? '; Secure' : ''}`,
    /** Tokens that the older secret key signed hold until their sessions end. */
    openToken: (signed: string): string | null => openToken(secrets, signed),
    /** The session of a request, and nothing else of it, for what the library does in a session. */
    sessionHeaders: ({ authorization = '', cookie = '' }: IncomingHttpHeaders, byCookie: boolean) =>
      new Headers(byCookie ? { cookie } : { authorization }),
    headersFor: (ip: string, userAgent: string | undefined) =>
      new Headers({ [addressHeader]: ip, 'user-agent': (userAgent ?? '').slice(0, 300) }),
  };
}

/** What the library refuses comes out as our refusal, chosen by the library's code or, where it has none, its message; its own faults as 503, since they hide a lost database. */
export async function askLibrary<T>(answer: Promise<T>, refusals: Record<string, Refusal>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isUnknownKey(error)) throw unreadable(error);
    if (!isAPIError(error)) throw error;
    const known = refusals[error.body?.code ?? error.body?.message ?? ''];
    if (known) throw known;
    if (error.statusCode < 500) throw badBody([{ location: '', message: error.body?.message ?? 'is not usable' }]);
    throw new Refusal('service_unavailable', { headers: { 'retry-after': '2' } });
  }
}

/** Another process has encrypted it with a key that this one was not given. */
const isUnknownKey = (error: unknown): boolean =>
  error instanceof Error && /^Secret version \d+ not found in keys/.test(error.message);

function unreadable(cause: unknown): Refusal {
  const refusal = new Refusal('service_unavailable', {
    message: 'Your second factor cannot be checked while the service replaces a key.',
    headers: { 'retry-after': '60' },
  });
  refusal.cause = cause;
  return refusal;
}
