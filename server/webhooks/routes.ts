import * as webhooks from '../../contract/developer/webhooks.ts';
import * as deliveries from '../../contract/developer/webhook-deliveries.ts';
import { route } from '../http/handle.ts';
import { createWebhookEndpoint } from './create-webhook-endpoint.ts';
import { deleteWebhookEndpoint } from './delete-webhook-endpoint.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { listWebhookEndpoints } from './list-webhook-endpoints.ts';
import { readWebhookDelivery } from './read-webhook-delivery.ts';
import { redeliverWebhook } from './redeliver-webhook.ts';
import { replayWebhookEvents } from './replay-webhook-events.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { testWebhookEndpoint } from './test-webhook-endpoint.ts';
import { updateWebhookEndpoint } from './update-webhook-endpoint.ts';

export const webhookRoutes = [
  route(listWebhookEndpoints, webhooks.listWebhookEndpoints),
  route(createWebhookEndpoint, webhooks.createWebhookEndpoint),
  route(updateWebhookEndpoint, webhooks.updateWebhookEndpoint),
  route(deleteWebhookEndpoint, webhooks.deleteWebhookEndpoint),
  route(rotateWebhookSecret, webhooks.rotateWebhookSecret),
  route(testWebhookEndpoint, deliveries.testWebhookEndpoint),
  route(replayWebhookEvents, deliveries.replayWebhookEvents),
  route(listWebhookDeliveries, deliveries.listWebhookDeliveries),
  route(readWebhookDelivery, deliveries.readWebhookDelivery),
  route(redeliverWebhook, deliveries.redeliverWebhook),
];
