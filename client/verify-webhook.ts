import type { AccountEvent } from './generated/types.gen.ts';

/** Seconds that clocks may differ. Older deliveries may be replays. */
const tolerance = 5 * 60;

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));

/** Returns the event or throws. `secrets`: as `whsec_…`. Process each id once: it may come again. */
export async function verifyWebhook(
  headers: Headers | Record<string, string | string[] | undefined>,
  body: string,
  secrets: string | string[],
): Promise<AccountEvent> {
  const header = (name: string) => String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? '');
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > tolerance)
    throw new Error('The webhook has no time, or is not of now.');
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signatures = header('webhook-signature').split(' ').filter((part) => part.startsWith('v1,'));
  for (const secret of [secrets].flat()) {
    const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(/^whsec_/, '')), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const signature of signatures)
      if (/^v1,[A-Za-z0-9+/]{43}=$/.test(signature) && (await crypto.subtle.verify('HMAC', key, bytesOf(signature.slice(3)), signed)))
        return (JSON.parse(body) as { data: AccountEvent }).data;
  }
  throw new Error('The webhook is not signed with one of these secrets.');
}
