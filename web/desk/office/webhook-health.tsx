import type { ReactNode } from 'react';
import type { PriceChecks } from '../../app/api.ts';
import { Time } from '../../ui/time/time.tsx';
import { counted } from '../../ui/job/words.ts';

const remedies = {
  secret:
    'Compare STRIPE_WEBHOOK_SECRET with the signing secret of the endpoint at the provider. If no event failed there, somebody else posts.',
  clock: 'Their signatures are too old or too new. Set the clock of each machine that serves.',
  mode: 'STRIPE_WEBHOOK_SECRET is that of the other mode. Set it to the signing secret of the endpoint in the mode of STRIPE_SECRET_KEY.',
};

/** Events that money waits on and that do not come through. Nothing while all is well. */
export const WebhookHealth = ({ seen }: { seen: PriceChecks['webhook'] }) => (
  <>
    {seen.refused_since > 0 && (
      <Line className="bad">
        {counted(seen.refused_since, 'signed post')} to the webhook {seen.refused_since === 1 ? 'was' : 'were'} refused
        {seen.accepted_at ? (
          <>
            {' '}
            since the last accepted event, <Time at={seen.accepted_at} />.
          </>
        ) : (
          ', and no event was accepted.'
        )}{' '}
        {seen.refused_at && (
          <>
            The last was refused <Time at={seen.refused_at} />.{' '}
          </>
        )}
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
