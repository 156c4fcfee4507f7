import type { BetterAuthOptions } from 'better-auth';
import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { sessionCookieName } from '../../contract/people/session-cookie.ts';
import type { Db, Trx } from '../db/pool.ts';
import { isRefused } from '../http/work.ts';
import { newId } from '../lib/id.ts';
import { hashPassword, isPassword } from './hash-password.ts';

export type Dependencies = { db: Db | Trx; publicUrl: string; secretKeys: readonly string[]; log: FastifyBaseLogger };

/** Use does not prolong a session. */
const sessionSeconds = 30 * 24 * 3600;
/** Carries the caller's address to the library. Requests cannot set it. */
export const addressHeader = 'x-caller-address';

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

/** A stable id of a key, by which the library finds the key that encrypted a value. */
export const versionOf = (secret: string) => createHash('sha256').update(secret).digest().readUInt32BE() >>> 1;

export const sessionCookie = (publicUrl: string) => ({
  name: sessionCookieName(publicUrl),
  attributes: { secure: publicUrl.startsWith('https:') },
});

/** The library repeats this check at its next call, so a lost database is only a warning here. */
const levelOf = (message: string) => (message.startsWith('Could not validate the database schema') ? 'warn' : 'error');

/** Options of the sign-in library without its plugins, for the database of the service or a transaction. */
export const libraryOptions = ({ db, publicUrl, log }: Dependencies, secrets: readonly string[]) =>
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
