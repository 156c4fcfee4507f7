import type { Trx } from '../db/pool.ts';
import { notify } from '../notifications/notify.ts';
import { newsOf } from './plan-news.ts';
import type { SubscriptionRow } from './subscription-row.ts';

/** `cause`: what made the change, such as the id of an event. */
type Change = { before: SubscriptionRow | null; after: SubscriptionRow; cause: string };

/** Tells the owners and admins of an account what changed for them. */
export async function tellOfPlan(trx: Trx, { before, after, cause }: Change, now: Date): Promise<void> {
  const state = newsOf(before, after, now);
  if (state === null) return;
  const managers = trx.selectFrom('members').select('user_id').where('account_id', '=', after.account_id);
  const rows = await managers.where('role', 'in', ['owner', 'admin']).execute();
  await notify(
    trx,
    rows.map(({ user_id }) => user_id),
    {
      kind: 'plan',
      accountId: after.account_id,
      cause,
      state,
      about: after.name,
    },
  );
}
