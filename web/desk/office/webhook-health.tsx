import type { ReactNode } from 'react';
import { Time } from '../../ui/time/time.tsx';
import { counted } from './money-words.ts';

export type WebhookSeen = {
  accepted_at: string | null;
  refused_since: number;
  refused_because: 'secret' | 'clock' | 'mode' | null;
  renewals_without_invoices: boolean;
};

const remedies = {
  secret: 'Compare STRIPE_WEBHOOK_SECRET with the signing secret of the endpoint at the provider.',
  clock: 'Set the clock of this machine: their signatures are too old or too new.',
  mode: 'STRIPE_WEBHOOK_SECRET is that of the other mode: test or live.',
};

/** Events that money waits on and that do not come through. Nothing while all is well. */
export const WebhookHealth = ({ seen }: { seen: WebhookSeen }) => (
  <>
    {seen.refused_since > 0 && (
      <Line className="bad">
        {counted(seen.refused_since, 'event')} of the provider {seen.refused_since === 1 ? 'was' : 'were'} refused
        {seen.accepted_at ? (
          <>
            {' '}
            since the last good one, <Time at={seen.accepted_at} />.
          </>
        ) : (
          ', and none was accepted.'
        )}{' '}
        {remedies[seen.refused_because ?? 'secret']}
      </Line>
    )}
    {seen.renewals_without_invoices && (
      <Line className="turn">
        Renewals come without their invoices, so nothing shows whether they are paid. Have the endpoint at the provider
        send invoice.paid, invoice.payment_failed, invoice.voided and invoice.marked_uncollectible, too.
      </Line>
    )}
  </>
);

const Line = ({ className, children }: { className: string; children: ReactNode }) => (
  <p className={`small ${className}`} role="alert">
    {children}
  </p>
);
