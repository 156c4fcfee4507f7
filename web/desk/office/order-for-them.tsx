import { useState } from 'react';
import type { DeskAccount } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { IconPlus } from '../../ui/look/icons.ts';
import { part } from '../../ui/page/part.tsx';
import { refusalWords } from './reason-words.ts';

const OrderDialog = part(() => import('./order-dialog.tsx'), 'OrderDialog', null, false);

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
