import type { WebhookDelivery } from '../../app/api.ts';

export const deliveryGroups: { id: string | undefined; label: string; statuses: WebhookDelivery['status'][] }[] = [
  { id: undefined, label: 'All', statuses: [] },
  { id: 'open', label: 'Under way', statuses: ['pending', 'retrying'] },
  { id: 'delivered', label: 'Delivered', statuses: ['delivered'] },
  { id: 'failed', label: 'Given up', statuses: ['dead'] },
];
