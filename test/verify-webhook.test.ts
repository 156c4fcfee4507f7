import { expect, test } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { verifyWebhook } from '../client/verify-webhook.ts';

const secret = `whsec_${Buffer.from('a secret of 24 bytes, or so').toString('base64')}`;
const text = '{"data":{"id":"evt_1"}}';

/** Signed at a time that is so many seconds from now. */
function signedAt(seconds: number) {
  const at = new Date(Date.now() + seconds * 1000);
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = new Webhook(secret).sign('evt_1', at, text);
  return { 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
}

test('a webhook is trusted for five minutes before and after its time', async () => {
  for (const seconds of [-290, 0, 290]) expect(await verifyWebhook(signedAt(seconds), text, secret)).toBeDefined();
  for (const seconds of [-310, 310])
    await expect(verifyWebhook(signedAt(seconds), text, secret)).rejects.toMatchObject({ reason: 'time' });
});

test('a secret is taken without the quotes and the line break of a file', async () => {
  expect(await verifyWebhook(signedAt(0), text, `"${secret}"\n`)).toBeDefined();
});

test('a webhook with another text, or signed with another secret, is not trusted', async () => {
  await expect(verifyWebhook(signedAt(0), `${text} `, secret)).rejects.toMatchObject({ reason: 'signature' });
  const other = `whsec_${Buffer.from('quite another secret').toString('base64')}`;
  await expect(verifyWebhook(signedAt(0), text, other)).rejects.toMatchObject({ reason: 'signature' });
});
