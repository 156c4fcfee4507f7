import type { PriceChecks } from '../../app/api.ts';
import { useOperation } from '../../app/api.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { Time } from '../../ui/time/time.tsx';
import { useMay } from '../may.ts';
import { counted } from '../../ui/job/words.ts';
import { WebhookHealth } from './webhook-health.tsx';

/** Whether plans can be bought: only while all their prices are those of the provider. */
export function CheckoutState({ checks }: { checks: PriceChecks }) {
  const verify = useOperation('verifyPrices');
  const may = useMay()('manage_records');
  const run = () => verify.mutate({});
  useShortcut('v', 'Verify again', may && !verify.isPending ? run : null);
  const { prices, checkout_available: open } = checks;
  /** The version before does not say it. */
  const webhook: PriceChecks['webhook'] | undefined = checks.webhook;
  const at = prices.map(({ checked_at }) => checked_at ?? '').toSorted()[0];
  const wrong = prices.filter(({ verified }) => !verified);
  return (
    <div className="small" role="status">
      <span className={open ? 'good' : 'turn'}>
        {open ? (
          <>
            Checkout is open: {counted(prices.length, 'price')} verified {at && <Time at={at} />}.
          </>
        ) : (
          <>
            Checkout is closed.{' '}
            {wrong.map(({ plan_code: code, reason }) => `${code}: ${reason ?? 'not verified'}`).join('; ')}.
          </>
        )}
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
