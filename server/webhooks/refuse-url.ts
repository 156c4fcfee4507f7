import { Refusal } from '../http/refusal.ts';
import type { ReceiverRules } from './receiver-address.ts';

export function refuseUrl(receivers: ReceiverRules, url: string): void {
  const fault = receivers.fault(url);
  if (fault === null) return;
  throw new Refusal('webhook_url_refused', {
    message: `The URL ${fault}.`,
    details: [{ location: '/url', message: fault }],
  });
}
