import { Refusal } from '../http/refusal.ts';
import type { ReceiverRules } from './receiver-address.ts';

/** The URL as stored: normalized by the parser. */
export function acceptUrl(receivers: ReceiverRules, url: string): string {
  const fault = /\p{Cc}/u.test(url) ? 'must not hold control characters' : receivers.fault(url);
  if (fault === null) return new URL(url).href;
  throw new Refusal('webhook_url_refused', {
    message: `The URL ${fault}.`,
    details: [{ location: '/url', message: fault }],
  });
}
