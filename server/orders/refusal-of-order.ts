import { customerPages } from '../../contract/pages.ts';
import type { Trx } from '../db/pool.ts';
import { logBounds } from '../events/event.ts';
import { Refusal } from '../http/refusal.ts';
import { waitFor } from '../jobs/next-action.ts';
import { showId } from '../lib/id.ts';
import type { OrderRow } from './order.ts';

/** What the maker is told of an order that is no job, or not by this request. */
export async function refusalOf(trx: Trx, order: OrderRow): Promise<Refusal> {
  const id = showId('ord', order.id);
  const page = customerPages.order.replace(':id', id);
  if (order.status === 'waiting') {
    const { latest } = await logBounds(trx, order.account_id);
    return new Refusal('confirmation_required', {
      message: `An owner or admin of the account has to confirm this order, until ${order.lapses_at.toISOString()}.`,
      action: `Ask one of them to open the page that details names. ${waitFor(undefined, ['order.confirmed', 'order.declined'], latest)}`,
      details: [{ location: 'order', message: `${id} waits to be confirmed or declined on this page.`, page }],
    });
  }
  const [message, action, detail] = endings[order.status](order);
  return new Refusal('confirmation_required', {
    message,
    action,
    details: [{ location: 'order', message: detail, page }],
  });
}

type Ending = [message: string, action: string, detail: string];

const again = 'Order again, with a new Idempotency-Key if you send one.';

const endings: Record<Exclude<OrderRow['status'], 'waiting'>, (order: OrderRow) => Ending> = {
  declined: ({ words }) => [
    'An owner or admin of the account declined this order.',
    `Read why in details. Change the order as they ask, then: ${again}`,
    words ?? '',
  ],
  lapsed: () => ['Nobody confirmed this order in time.', again, 'The page of the order.'],
  ended: () => ['This order has ended and can no longer be confirmed.', again, 'The page of the order.'],
  confirmed: ({ job_id }) => [
    'This order was confirmed before.',
    `Follow its job with GET /api/v1/jobs/${showId('job', job_id ?? '')}. To order once more: ${again}`,
    'The page of the order.',
  ],
};
