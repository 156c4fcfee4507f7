import { useState } from 'react';
import type { DeskAccount } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { IconPlus } from '../../ui/look/icons.ts';
import { part } from '../../ui/page/part.tsx';

const OrderDialog = part(() => import('./order-dialog.tsx'), 'OrderDialog', null, false);

/** Why the customer's plan or its owner allows no order, in words for the studio. */
export const refusalWords: Record<string, string> = {
  account_suspended: 'The account is suspended.',
  studio_orders_off: 'Their owner has not allowed it: Settings, Account, Orders by the studio.',
  entitlement_required: 'They have no plan for people.',
  quota_exceeded: 'The quota of their period is used up.',
  concurrency_limit_exceeded: 'They have as many open jobs as their plan allows.',
};

/** Orders a job for the customer, or says why that cannot be done now. */
export function OrderForThem({ account }: { account: DeskAccount }) {
  const [asking, setAsking] = useState(false);
  const [refusal] = account.studio_orders.refusals;
  const reason = refusal ? (refusalWords[refusal] ?? 'This cannot be done now.') : null;
  return (
    <>
      <ActionButton variant="default" icon={<IconPlus size={16} />} reason={reason} onClick={() => setAsking(true)}>
        Order for them
      </ActionButton>
      {asking && <OrderDialog account={account} onClose={() => setAsking(false)} />}
    </>
  );
}
