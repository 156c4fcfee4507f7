import { createHmac, timingSafeEqual } from 'node:crypto';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/**
 * The token that the row of a session has, out of the signed form that the sign-in library hands out: the token, a dot,
 * and its HMAC-SHA-256 in base64, percent-encoded in cookies. Null unless one of the keys signed it.
 */
export function openToken(keys: readonly string[], signed: string): string | null {
  const [, token, mac] = /^(\w+)\.([\w+/]{43}=)$/.exec(decoded(signed)) ?? [];
  if (!token || !mac) return null;
  const macs = keys.map((key) => createHmac('sha256', key).update(token).digest('base64'));
  return macs.some((one) => timingSafeEqual(Buffer.from(one), Buffer.from(mac))) ? token : null;
}
