import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Db, Trx } from '../db/pool.ts';
import { isPublic } from '../http/credential-form.ts';
import { badBody, Refusal } from '../http/refusal.ts';
import { hashPassword, isPassword } from './hash-password.ts';
import { addressHeader, type Dependencies, libraryOptions, sessionCookie, versionOf } from './library-options.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';

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
  const { name: cookieName, attributes } = sessionCookie(publicUrl);
  const optionsOn = (db: Db | Trx) => libraryOptions({ ...dependencies, db }, secrets);
  const open = async (db: Db | Trx) => (await import('./library.ts')).openLibrary(optionsOn(db)).api;
  let api: ReturnType<typeof open> | null = null;

  const keys = new Map(secrets.map((value) => [versionOf(value), value]));
  const key = { keys, currentVersion: versionOf(secrets[0] ?? '') };

  return {
    /** Loaded when somebody first signs in: it is a megabyte of code. */
    api: () =>
      (api ??= open(dependencies.db).catch((error: unknown) => {
        api = null; // the next request tries again
        throw error;
      })),
    /** The library in a transaction of ours: what it writes is committed or rolled back with the rest. */
    apiIn: open,
    optionsOn,
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
      new Headers({
        [addressHeader]: ip,
        'user-agent': isPublic(userAgent ?? '') ? (userAgent ?? '').slice(0, 300) : '',
      }),
  };
}

/** The library's own faults become 503, because they hide a lost database. */
export async function askLibrary<T>(answer: Promise<T>, refusals: Record<string, Refusal>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isUnknownKey(error)) throw unreadable(error);
    const { isAPIError } = await import('better-auth/api');
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

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The signed form: token, dot and HMAC-SHA-256 in base64, percent-encoded in cookies. */
function openToken(keys: readonly string[], signed: string): string | null {
  const [, token, mac] = /^(\w+)\.([\w+/]{43}=)$/.exec(decoded(signed)) ?? [];
  if (!token || !mac) return null;
  const macs = keys.map((key) => createHmac('sha256', key).update(token).digest('base64'));
  return macs.some((expected) => timingSafeEqual(Buffer.from(expected), Buffer.from(mac))) ? token : null;
}
