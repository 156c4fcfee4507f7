import { betterAuth } from 'better-auth';
import { createEmailVerificationToken, isAPIError } from 'better-auth/api';
import { bearer } from 'better-auth/plugins/bearer';
import { createHmac } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '../kit/db.ts';
import { newId } from '../kit/id.ts';
import type { Letter, Mail } from '../kit/mail.ts';
import { badBody, Refusal } from '../kit/refusal.ts';
import { resetLetter } from './letter.ts';

type Parts = { db: Db; mail: Mail; publicUrl: string; secretKeys: readonly string[]; log: FastifyBaseLogger };

/** How long a session lasts, in seconds. It is not prolonged by use, so that reading never writes. */
const sessionSeconds = 30 * 24 * 3600;
/** How long the token of a mail works, in seconds. */
const mailTokenSeconds = 3600;
/** Carries the caller's address to the library; made by us, never taken from a request. */
const addressHeader = 'x-caller-address';

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

/** Our names for the tables and columns of the library; its `account` is our `credential`. */
const tables = {
  user: { fields: { ...times, emailVerified: 'email_verified' } },
  session: {
    expiresIn: sessionSeconds,
    disableSessionRefresh: true,
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
  // Hashed, so that a copy of the database resets no password.
  verification: { fields: { ...times, expiresAt: 'expires_at' }, storeIdentifier: 'hashed' as const },
};

/**
 * The sign-in library (better-auth) on our tables. It hashes passwords, makes and reads sessions, and keeps the tokens of
 * mails; accounts, members and invitations are ours. Its HTTP handler is not mounted: only contract lines are open.
 */
function openLibrary({ db, publicUrl, log }: Parts, secret: string, post: (letter: Letter) => void) {
  return betterAuth({
    baseURL: publicUrl,
    basePath: '/api/auth',
    // As a list, because a BETTER_AUTH_SECRETS in the environment would go before a single one.
    secrets: [{ version: 1, value: secret }],
    database: { db, type: 'postgres', schemaName: 'auth' },
    plugins: [bearer({ requireSignature: true })],
    emailAndPassword: {
      enabled: true,
      disableSignUp: true, // sign-up.ts makes the user, in one transaction
      minPasswordLength: 10,
      maxPasswordLength: 256, // the contract counts 128 code points, the library UTF-16 units
      resetPasswordTokenExpiresIn: mailTokenSeconds,
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, token }) => post(resetLetter(publicUrl, user.email, token)),
      // The other tokens of earlier mails die with the one that was used.
      onPasswordReset: async ({ user }) =>
        void (await db.deleteFrom('auth.verification').where('value', '=', user.id).execute()),
    },
    ...tables,
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    advanced: {
      cookiePrefix: 'atelier',
      useSecureCookies: publicUrl.startsWith('https:'),
      database: { generateId: newId, joins: true },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    // Below `error` it logs e-mail addresses.
    logger: { level: 'error', log: (_, message, ...args) => log.error({ err: args[0] }, message) },
  });
}

export type Auth = ReturnType<typeof openAuth>;

export function openAuth(parts: Parts) {
  const { mail, publicUrl, log } = parts;
  /** In the background: no answer waits for the mail server, nor tells by its time whether a mail was sent. */
  const post = (letter: Letter) =>
    void mail
      .send(letter)
      .catch((error: unknown) => log.error({ err: error, subject: letter.subject }, 'a mail was not sent'));
  // A key of its own for each secret key, so that sessions, cursors and CSRF tokens never sign each other.
  const secrets = parts.secretKeys.map((key) => createHmac('sha256', key).update('sessions').digest('hex'));
  const libraries = secrets.map((secret) => openLibrary(parts, secret, post));
  const [library, secret] = [libraries[0], secrets[0]];
  if (!library || !secret) throw new Error('Sessions need a key.');
  const secure = publicUrl.startsWith('https:');
  const cookieName = `${secure ? '__Secure-' : ''}atelier.session_token`;

  return {
    api: library.api,
    publicUrl,
    post,
    cookieName,
    /** What ends the cookie in the browser. */
    endCookie: `${cookieName}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
    hashPassword: async (password: string) => (await library.$context).password.hash(password),
    makeVerificationToken: (email: string) => createEmailVerificationToken(secret, email, undefined, mailTokenSeconds),
    /** Sessions that the older secret key signed hold until they end. */
    findSessionId: async (headers: Headers): Promise<string | null> => {
      for (const { api } of libraries) {
        const found = await askLibrary(api.getSession({ headers }), {});
        if (found) return found.session.id;
      }
      return null;
    },
    headersFor: (ip: string, userAgent: string | undefined) =>
      new Headers({ [addressHeader]: ip, 'user-agent': (userAgent ?? '').slice(0, 300) }),
  };
}

/** What the library refuses comes out as our refusal, chosen by the library's code; its own faults as 503, since they hide a lost database. */
export async function askLibrary<T>(answer: Promise<T>, refusals: Record<string, Refusal>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!isAPIError(error)) throw error;
    const known = refusals[error.body?.code ?? ''];
    if (known) throw known;
    if (error.statusCode < 500) throw badBody([{ location: '', message: error.body?.message ?? 'is not usable' }]);
    throw new Refusal('service_unavailable', { headers: { 'retry-after': '2' } });
  }
}
