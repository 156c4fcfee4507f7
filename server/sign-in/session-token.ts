import { createHmac, timingSafeEqual } from 'node:crypto';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/**
 * Takes the token out of its signed form: the token, a dot and an HMAC-SHA-256 in base64, percent-encoded in
 * cookies. Null unless one of the keys signed it.
 */
export function openToken(keys: readonly string[], signed: string): string | null {
  const [, token, mac] = /^(\w+)\.([\w+/]{43}=)$/.exec(decoded(signed)) ?? [];
  if (!token || !mac) return null;
  const macs = keys.map((key) => createHmac('sha256', key).update(token).digest('base64'));
  return macs.some((expected) => timingSafeEqual(Buffer.from(expected), Buffer.from(mac))) ? token : null;
}
