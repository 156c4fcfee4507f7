import { createHmac } from 'node:crypto';

/** Secrets as they are shown: `whsec_` and the bytes in base64. */
export const secretPrefix = 'whsec_';

/** The headers of Standard Webhooks: one signature for each secret in force, over id, time and the body's very bytes. */
export function signedHeaders(secrets: readonly string[], id: string, at: Date, body: string): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000);
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
      .update(`${id}.${seconds}.${body}`)
      .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  };
}
