import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { type Entitlement, queryClient } from '../../app/api.ts';
import { useAddress } from '../../ui/page/address.ts';

/** Seconds to wait for the provider's event. */
const patience = 60;

/** The address only chooses the wording. The service says what the account has. */
export function ReturnedFromCheckout({ result, active }: { result: string; active: Entitlement[] }) {
  const [, setAddress] = useAddress<'checkout'>();
  const [waited, setWaited] = useState(0);
  const waiting = result === 'success' && active.length === 0 && waited < patience;
  useEffect(() => {
    if (!waiting) return;
    const timer = setInterval(() => {
      setWaited((seconds) => seconds + 2);
      void queryClient.invalidateQueries({ queryKey: ['listEntitlements'] });
    }, 2_000);
    return () => clearInterval(timer);
  }, [waiting]);
  useEffect(() => {
    if (active.length > 0) void queryClient.invalidateQueries({ queryKey: ['readMe'] });
  }, [active.length]);
  const words =
    result !== 'success'
      ? 'You left the checkout. Nothing was bought.'
      : active.length > 0
        ? `${active.map(({ name }) => name).join(' and ')} is active. You can order now.`
        : waiting
          ? 'Thank you. Waiting for the payment provider to confirm…'
          : 'The confirmation takes longer than usual. Your plan starts as soon as it arrives; nothing is lost.';
  return (
    <div
      className={active.length > 0 && result === 'success' ? 'note good row' : 'note row'}
      role="status"
      style={{ marginBottom: 20 }}
    >
      {words}
      {result === 'success' && active.length > 0 && <Link to={customerPages.newJob}>Order a job</Link>}
      <Button className="push" variant="subtle" size="xs" h={26} onClick={() => setAddress({ checkout: undefined })}>
        Close
      </Button>
    </div>
  );
}
