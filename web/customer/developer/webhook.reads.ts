import { type Place, readPages } from '../../app/reads.ts';
import { deliveryGroups } from './delivery-groups.ts';
import { webhooksReads } from './webhooks.reads.ts';

export function webhookReads({ id, search }: Place) {
  const statuses = deliveryGroups.find((group) => group.id === search.show)?.statuses ?? [];
  const query = { limit: 50, ...(statuses.length > 0 ? { status: statuses } : {}) };
  return {
    ...webhooksReads(),
    deliveries: readPages('listWebhookDeliveries', { path: { id }, query }),
  };
}
