import type { AccountEvent } from './generated/types.gen.ts';
import { cleanKey } from './generated/typed.ts';

/** A webhook that is not to be trusted. Answer it with 400, and handle nothing of it. */
export class WebhookError extends Error {
  /** `time`: too old or without a time. `signature`: wrong. `secret`: yours has another form. */
  readonly reason: 'time' | 'signature' | 'secret';

  constructor(reason: WebhookError['reason'], message: string) {
    super(message);
    this.name = 'WebhookError';
    this.reason = reason;
  }
}

export type VerifyOptions = {
  /** Seconds that the sender's clock may differ from yours; older deliveries may be replays. Default 300. */
  toleranceSeconds?: number | undefined;
};

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = /^(?:whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(secret) ? secret.replace(/^whsec_/, '') : '';
  if (bytes === '' || bytes.length % 4 === 1) throw new WebhookError('secret', 'The secret does not have the form whsec_….');
  return crypto.subtle.importKey('raw', bytesOf(bytes), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Returns the event or throws a `WebhookError`. Process each id once: it may come again. */
export async function verifyWebhook(
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string | Uint8Array,
  secrets: string | string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<AccountEvent> {
  const header = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '');
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('time', 'The webhook has no time, or it is too old or too new.');
  const [start, bytes] = [new TextEncoder().encode(`${id}.${timestamp}.`), typeof body === 'string' ? new TextEncoder().encode(body) : body];
  const signed = new Uint8Array(start.length + bytes.length);
  signed.set(start);
  signed.set(bytes, start.length);
  const signatures = header('webhook-signature').split(' ').filter((part) => part.startsWith('v1,'));
  for (const secret of [secrets].flat()) {
    const key = await keyOf(cleanKey(secret));
    for (const signature of signatures)
      if (/^v1,[A-Za-z0-9+/]{43}=$/.test(signature) && (await crypto.subtle.verify('HMAC', key, bytesOf(signature.slice(3)), signed)))
        return (JSON.parse(new TextDecoder().decode(bytes)) as { data: AccountEvent }).data;
  }
  throw new WebhookError('signature', 'The webhook is not signed with one of these secrets.');
}
