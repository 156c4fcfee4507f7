import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { weightsOf } from './accept.ts';

/** A text that does not change while the process runs: its tag and its bytes, compressed once. */
export type Prepared = { etag: string; identity: Buffer; gzip: Buffer; br: Buffer };

const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

export function prepare(text: string): Prepared {
  const identity = Buffer.from(text);
  return { etag: etagOf(text), identity, gzip: gzipSync(identity), br: brotliCompressSync(identity, quality) };
}

/** Weak, since the same text in another encoding has the same tag. */
export const etagOf = (text: string): string =>
  `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;

/** Whether the reader has it already (`If-None-Match`: RFC 9110 13.1.2, weak comparison). */
export const isMatch = (etag: string, header = ''): boolean =>
  header.trim() === '*' || [...header.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag.replace('W/', ''));

/** The smallest of the encodings that `Accept-Encoding` allows. */
export function encodingFor({ 'accept-encoding': accepted }: IncomingHttpHeaders): 'br' | 'gzip' | 'identity' {
  const weights = weightsOf(accepted);
  const allows = (encoding: string) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0;
  return allows('br') ? 'br' : allows('gzip') ? 'gzip' : 'identity';
}
