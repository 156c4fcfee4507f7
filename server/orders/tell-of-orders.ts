import type { Trx } from '../db/pool.ts';
import { settleNews } from '../notifications/notification.ts';
import { notify } from '../notifications/notify.ts';
import type { OrderRow } from './order.ts';

const titleOf = ({ brief, draft }: OrderRow): string => brief?.customer_title ?? draft.title ?? '';

export async function tellManagers(trx: Trx, order: OrderRow): Promise<void> {
  const managers = trx.selectFrom('members').select('user_id').where('account_id', '=', order.account_id);
  const rows = await managers.where('role', 'in', ['owner', 'admin']).execute();
  await notify(
    trx,
    rows.map(({ user_id }) => user_id),
    { kind: 'order_waiting', cause: order.id, accountId: order.account_id, about: titleOf(order) },
  );
}

/** The maker, if that is a person. For the managers it is settled. */
export async function tellOfDecision(trx: Trx, order: OrderRow): Promise<void> {
  const { account_id: accountId, id, created_by_user, status: state, job_id } = order;
  await settleNews(trx, accountId, 'order_waiting', [id]);
  const makers = created_by_user === null ? [] : [created_by_user];
  const about = titleOf(order);
  const job = job_id === null ? {} : { jobId: job_id };
  await notify(trx, makers, { kind: 'order_decided', cause: id, accountId, state, about, ...job });
}
