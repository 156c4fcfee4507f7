import { expect } from 'vitest';
import { DeliveryEngine } from '../../server/webhooks/delivery-engine.ts';
import { createStudio, type Studio } from './jobs.ts';
import { createReceiver, type Receiver } from './receiver.ts';
import type { As } from './harness.ts';

export type Deliveries = Studio & { engine: DeliveryEngine; receiver: Receiver };

/** A studio with a delivery engine and a receiver on this machine. */
export async function createDeliveries(env: Record<string, string> = {}): Promise<Deliveries> {
  const studio = await createStudio({ WEBHOOK_ALLOW: '127.0.0.1', ...env });
  return { ...studio, engine: new DeliveryEngine(studio.service.context), receiver: await createReceiver() };
}

export async function closeDeliveries({ engine, receiver, service }: Deliveries): Promise<void> {
  await engine.stop();
  await receiver.close();
  await service.close();
}

/** A new endpoint of the account at the receiver, with its secret. */
export async function newEndpoint(
  { service, ada, receiver }: Deliveries,
  body: object = {},
  as: As = ada.token,
): Promise<{ id: string; secret: string }> {
  const answer = await service.call('POST', '/api/v1/webhook-endpoints', { as, body: { url: receiver.url, ...body } });
  expect(answer.status).toBe(201);
  return { id: answer.body.webhook_endpoint.id, secret: answer.body.secret };
}
