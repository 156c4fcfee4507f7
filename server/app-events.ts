import * as events from '../contract/events.ts';
import * as webhooks from '../contract/webhooks.ts';
import type { Handle } from './app-desk.ts';
import { listEvents } from './feed/list-events.ts';
import { streamEvents } from './feed/stream-events.ts';
import { createWebhookEndpoint } from './webhooks/create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from './webhooks/delete-webhook-endpoint.ts';
import { listWebhookDeliveries } from './webhooks/list-webhook-deliveries.ts';
import { listWebhookEndpoints } from './webhooks/list-webhook-endpoints.ts';
import { readWebhookDelivery } from './webhooks/read-webhook-delivery.ts';
import { redeliverWebhook } from './webhooks/redeliver-webhook.ts';
import { replayWebhookEvents } from './webhooks/replay-webhook-events.ts';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts';
import { testWebhookEndpoint } from './webhooks/test-webhook-endpoint.ts';
import { updateWebhookEndpoint } from './webhooks/update-webhook-endpoint.ts';

/** The log of an account, read, followed, and posted to endpoints. */
export function offerEvents(handle: Handle): void {
  handle(events.listEvents, listEvents);
  handle(events.streamEvents, streamEvents);
  handle(webhooks.listWebhookEndpoints, listWebhookEndpoints);
  handle(webhooks.createWebhookEndpoint, createWebhookEndpoint);
  handle(webhooks.updateWebhookEndpoint, updateWebhookEndpoint);
  handle(webhooks.deleteWebhookEndpoint, deleteWebhookEndpoint);
  handle(webhooks.rotateWebhookSecret, rotateWebhookSecret);
  handle(webhooks.testWebhookEndpoint, testWebhookEndpoint);
  handle(webhooks.replayWebhookEvents, replayWebhookEvents);
  handle(webhooks.listWebhookDeliveries, listWebhookDeliveries);
  handle(webhooks.readWebhookDelivery, readWebhookDelivery);
  handle(webhooks.redeliverWebhook, redeliverWebhook);
}
