import { createHmac, timingSafeEqual } from 'node:crypto';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The signed form: token, dot and HMAC-SHA-256 in base64, percent-encoded in cookies. */
export function openToken(keys: readonly string[], signed: string): string | null {
  const [, token, mac] = /^(\w+)\.([\w+/]{43}=)$/.exec(decoded(signed)) ?? [];
  if (!token || !mac) return null;
  const macs = keys.map((key) => createHmac('sha256', key).update(token).digest('base64'));
  return macs.some((expected) => timingSafeEqual(Buffer.from(expected), Buffer.from(mac))) ? token : null;
}
