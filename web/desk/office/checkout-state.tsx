import { type PriceChecks, useOperation } from '../../app/api.ts';
import { Failure } from '../../ui/page/page.tsx';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { Time } from '../../ui/time/time.tsx';
import { useMay } from '../may.ts';
import { counted } from '../../ui/job/words.ts';

/** Whether plans can be bought: only while all their prices are those of the provider. */
export function CheckoutState({ checks }: { checks: PriceChecks }) {
  const verify = useOperation('verifyPrices');
  const may = useMay()('manage_records');
  const run = () => verify.mutate({});
  useShortcut('v', 'Verify again', may && !verify.isPending ? run : null);
  const { prices, checkout_available: open } = checks;
  // During an upgrade, the previous version does not send it.
  const webhook: PriceChecks['webhook'] | undefined = checks.webhook;
  const at = prices.map(({ checked_at }) => checked_at ?? '').toSorted()[0];
  const wrong = prices
    .filter(({ verified }) => !verified)
    .map(({ plan_code: code, reason }) => `${code}: ${reason ?? 'not verified'}`);
  return (
    <div className="small" role="status">
      <span className={open ? 'good' : 'turn'}>
        {open
          ? `Checkout is open: ${counted(prices.length, 'price')} verified `
          : `Checkout is closed. ${wrong.join('; ')}`}
        {open && at && <Time at={at} />}.
      </span>{' '}
      {may && (
        <button type="button" className="link-button small" onClick={run} disabled={verify.isPending}>
          Verify again
        </button>
      )}
      {webhook && <WebhookHealth seen={webhook} />}
      {verify.error && <Failure error={verify.error} />}
    </div>
  );
}

const remedies = {
  secret:
    'Compare STRIPE_WEBHOOK_SECRET with the signing secret of the endpoint at the provider. If no event failed there, somebody else posts.',
  clock: 'Their signatures are too old or too new. Set the clock of each machine that serves.',
  mode: 'STRIPE_WEBHOOK_SECRET is that of the other mode. Set it to the signing secret of the endpoint in the mode of STRIPE_SECRET_KEY.',
};

/** Events that money waits on and that do not come through. Nothing while all is well. */
const WebhookHealth = ({ seen }: { seen: PriceChecks['webhook'] }) => (
  <>
    {seen.refused_since > 0 && (
      <p className="small bad" role="alert">
        {counted(seen.refused_since, 'signed post')} to the webhook {seen.refused_since === 1 ? 'was' : 'were'} refused
        {seen.accepted_at ? ' since the last accepted event, ' : ', and no event was accepted'}
        {seen.accepted_at && <Time at={seen.accepted_at} />}. {seen.refused_at && 'The last was refused '}
        {seen.refused_at && <Time at={seen.refused_at} />}
        {seen.refused_at && '. '}
        {remedies[seen.refused_because ?? 'secret']}
      </p>
    )}
    {seen.renewals_without_invoices && (
      <p className="small turn" role="alert">
        Renewals come without their invoices, so nothing shows whether they are paid. Have the endpoint at the provider
        send invoice.paid, invoice.payment_failed, invoice.voided and invoice.marked_uncollectible, too.
      </p>
    )}
  </>
);
