import type { WebhookDelivery } from '../../app/api.ts';
import { type Place, readPages } from '../../app/reads.ts';
import { webhooksReads } from './webhooks.reads.ts';

export const deliveryGroups: { id: string | undefined; label: string; statuses: WebhookDelivery['status'][] }[] = [
  { id: undefined, label: 'All', statuses: [] },
  { id: 'open', label: 'Under way', statuses: ['pending', 'retrying'] },
  { id: 'delivered', label: 'Delivered', statuses: ['delivered'] },
  { id: 'failed', label: 'Given up', statuses: ['dead'] },
];

export function webhookReads({ id, search }: Place) {
  const statuses = deliveryGroups.find((group) => group.id === search.show)?.statuses ?? [];
  const query = { limit: 50, ...(statuses.length > 0 ? { status: statuses } : {}) };
  return {
    ...webhooksReads(),
    deliveries: readPages('listWebhookDeliveries', { path: { id }, query }),
  };
}
