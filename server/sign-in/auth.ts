import { betterAuth, type BetterAuthOptions } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { bearer } from 'better-auth/plugins/bearer';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { sessionCookieName } from '../../contract/session-cookie.ts';
import type { Db, Trx } from '../db/pool.ts';
import { isRefused } from '../http/work.ts';
import { newId } from '../lib/id.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import { hashPassword, isPassword } from './hash-password.ts';
import { openToken } from './session-token.ts';

type Dependencies = { db: Db | Trx; publicUrl: string; secretKeys: readonly string[]; log: FastifyBaseLogger };

/** Use does not prolong a session. */
const sessionSeconds = 30 * 24 * 3600;
/** Carries the caller's address to the library. Requests cannot set it. */
const addressHeader = 'x-caller-address';

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

/** The library's `account` is a row of our `credentials`: an account owns jobs. */
const tables = {
  user: { modelName: 'people', fields: { ...times, emailVerified: 'email_verified' } },
  session: {
    modelName: 'sessions',
    expiresIn: sessionSeconds,
    disableSessionRefresh: true, // use does not prolong a session
    fields: {
      ...times,
      userId: 'user_id',
      expiresAt: 'expires_at',
      ipAddress: 'ip_address',
      userAgent: 'user_agent',
    },
  },
  account: {
    modelName: 'credentials',
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
    modelName: 'verifications',
    fields: { ...times, expiresAt: 'expires_at' },
    storeIdentifier: 'hashed' as const, // a copy of the database signs nobody in
    disableCleanup: true, // delete-expired-tokens.ts does it by the clock of the database
  },
};

const twoFactorTables = {
  user: { fields: { twoFactorEnabled: 'second_factor' } },
  twoFactor: {
    modelName: 'two_factors',
    fields: {
      userId: 'user_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_verification_count',
      lockedUntil: 'locked_until',
    },
  },
};

/** A stable id of a key, by which the library finds the key that encrypted a value. */
const versionOf = (secret: string) => createHash('sha256').update(secret).digest().readUInt32BE() >>> 1;

const sessionCookie = (publicUrl: string) => ({
  name: sessionCookieName(publicUrl),
  attributes: { secure: publicUrl.startsWith('https:') },
});

/** The library repeats this check at its next call, so a lost database is only a warning here. */
const levelOf = (message: string) => (message.startsWith('Could not validate the database schema') ? 'warn' : 'error');

/** Options of the sign-in library without its plugins, for the database of the service or a transaction. */
const libraryOptions = ({ db, publicUrl, log }: Dependencies, secrets: readonly string[]) =>
  ({
    baseURL: publicUrl,
    basePath: '/api/auth',
    // A list, because BETTER_AUTH_SECRETS in the environment would override a single secret.
    secrets: secrets.map((value) => ({ version: versionOf(value), value })),
    database: { db, type: 'postgres' },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true, // sign-up.ts creates users
      minPasswordLength: 10,
      maxPasswordLength: 256, // the contract counts 128 code points, the library UTF-16 units
      password: { hash: hashPassword, verify: isPassword },
    },
    ...tables,
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      // The library only understands the prefix `__Secure-`, so the cookie gets its whole name.
      useSecureCookies: false,
      cookies: { session_token: sessionCookie(publicUrl) },
      // In a transaction a failed check would undo the rest.
      database: { generateId: newId, joins: true, validateSchema: !db.isTransaction },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    // Below `error` the library logs e-mail addresses. Failures of refused requests are not logged.
    logger: {
      level: 'error',
      log: (_, message, ...args) => isRefused() || log[levelOf(message)]({ err: args[0] }, message),
    },
  }) satisfies BetterAuthOptions;

/**
 * The sign-in library (better-auth) hashes passwords, makes sessions and checks second factors. Mail tokens,
 * accounts, members and invitations are ours. Its HTTP handler is not mounted: only endpoints of the contract
 * are reachable. `server/connect` opens it once more, with its OAuth provider.
 */
const openLibrary = (dependencies: Dependencies, secrets: readonly string[]) =>
  betterAuth({
    ...libraryOptions(dependencies, secrets),
    plugins: [bearer({ requireSignature: true }), twoFactor({ issuer: 'Atelier', schema: twoFactorTables })],
  });

/** Derived keys, so that sessions, cursors and CSRF tokens cannot stand in for each other. */
const librarySecrets = (secretKeys: readonly string[]) =>
  [...new Set(secretKeys)].map((key) => createHmac('sha256', key).update('sessions').digest('hex'));

/** Ids that the library puts before what it encrypts, newest key first. */
export const libraryKeyIds = (secretKeys: readonly string[]): string[] =>
  librarySecrets(secretKeys).map((secret) => `$ba$${versionOf(secret)}$`);

export type Auth = ReturnType<typeof createAuth>;

export function createAuth(dependencies: Dependencies) {
  const { publicUrl } = dependencies;
  const secrets = librarySecrets(dependencies.secretKeys);
  if (secrets.length === 0) throw new Error('Sessions need a key.');
  const library = openLibrary(dependencies, secrets);
  const { name: cookieName, attributes } = sessionCookie(publicUrl);

  const keys = new Map(secrets.map((value) => [versionOf(value), value]));
  const key = { keys, currentVersion: versionOf(secrets[0] ?? '') };

  return {
    api: library.api,
    /** The library in a transaction of ours: what it writes is committed or rolled back with the rest. */
    apiIn: (trx: Trx) => openLibrary({ ...dependencies, db: trx }, secrets).api,
    optionsOn: (db: Db | Trx) => libraryOptions({ ...dependencies, db }, secrets),
    keyIds: libraryKeyIds(dependencies.secretKeys),
    /** Encrypts again with the newest key. */
    reencrypt: async (data: string) => symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) }),
    cookieName,
    hashPassword,
    isPassword,
    endCookie: `${cookieName}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${attributes.secure ? '; Secure' : ''}`,
    /** The older secret key still opens tokens until their sessions end. */
    openToken: (signed: string): string | null => openToken(secrets, signed),
    sessionHeaders: ({ authorization = '', cookie = '' }: IncomingHttpHeaders, byCookie: boolean) =>
      new Headers(byCookie ? { cookie } : { authorization }),
    headersFor: (ip: string, userAgent: string | undefined) =>
      new Headers({ [addressHeader]: ip, 'user-agent': (userAgent ?? '').slice(0, 300) }),
  };
}

/** The library's own faults become 503, because they hide a lost database. */
export async function askLibrary<T>(answer: Promise<T>, refusals: Record<string, Refusal>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isUnknownKey(error)) throw unreadable(error);
    if (!isAPIError(error)) throw error;
    const refusal = refusals[error.body?.code ?? error.body?.message ?? ''];
    if (refusal) throw refusal;
    if (error.statusCode < 500) throw badBody([{ location: '', message: error.body?.message ?? 'is not usable' }]);
    throw new Refusal('service_unavailable', { headers: { 'retry-after': '2' } });
  }
}

/** Another process encrypted it with a key that this process does not have. */
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
