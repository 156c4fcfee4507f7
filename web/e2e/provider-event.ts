import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Person, Service } from './start-service.ts';

/** Posts an event as the payment provider does: signed with the endpoint's secret. */
export async function sendEvent({ url, dataDir }: Service, event: object): Promise<string> {
  const secret = readFileSync(join(dataDir, 'webhook-secret'), 'utf8').trim();
  const body = JSON.stringify(event);
  const at = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  const answer = await fetch(`${url}/api/stripe/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` },
    body,
  });
  return ((await answer.json()) as { status: string }).status;
}

/** The payment provider says that the person's subscription has another status, or something else, now. */
export async function changeSubscription(
  service: Service,
  { token }: Person,
  type: 'updated' | 'paused' | 'deleted',
  status: string,
  changes: object = {},
): Promise<void> {
  const { account } = await service.call('GET', '/api/v1/me', token);
  const path = `/api/operator/v1/provider-events?account_id=${account.id}`;
  const { provider_events } = await service.call('GET', path, service.operatorToken);
  const { payload } = provider_events.find((event: { type: string }) =>
    event.type.startsWith('customer.subscription.'),
  );
  const outcome = await sendEvent(service, {
    ...payload,
    id: `evt_${randomUUID()}`,
    type: `customer.subscription.${type}`,
    created: Math.floor(Date.now() / 1000),
    data: { object: { ...payload.data.object, status, ...changes } },
  });
  if (outcome !== 'processed') throw new Error(`The event was ${outcome}.`);
}
