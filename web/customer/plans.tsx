import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { IconCircleCheck, IconExternalLink } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { customerPages } from '../../contract/pages.ts';
import { type Entitlement, operationQuery, type Plan, queryClient, useOperation } from '../api.ts';
import { useManagerReason } from '../session.tsx';
import { ActionButton } from '../ui/action-button.tsx';
import { useAddress } from '../ui/address.ts';
import { Failure } from '../ui/failure.tsx';
import { Loaded, PageHead } from '../ui/page.tsx';
import { PlansSkeleton } from '../ui/skeletons.tsx';
import { sayDay } from '../ui/time.tsx';
import { accessWords } from '../ui/words.ts';

/** The plans as columns, and what the account holds of them. Also where the provider sends people back to. */
export function Plans() {
  const [{ checkout }] = useAddress<'checkout'>();
  const plans = useQuery({ ...operationQuery('listPlans'), staleTime: 60_000 });
  const held = useQuery(operationQuery('listEntitlements'));
  const active = held.data?.entitlements.filter(({ status }) => status === 'active' || status === 'past_due');
  // What may be chosen depends on what is held.
  const both = {
    data: active && plans.data && { active, all: plans.data.plans },
    error: plans.error ?? held.error,
    refetch: () => Promise.all([plans.refetch(), held.refetch()]),
  };
  return (
    <>
      <PageHead title="Plans" below={active && heldWords(active)} actions={active && active.length > 0 && <Portal />} />
      {checkout && active && <Returned result={checkout} active={active} />}
      <Loaded query={both} skeleton={<PlansSkeleton />}>
        {({ active: own, all }) => (
          <div className="plans">
            {all.map((plan) => (
              <PlanColumn
                key={plan.code}
                plan={plan}
                held={own.find(({ code }) => code === plan.code)}
                others={own.filter(({ code }) => code !== plan.code)}
              />
            ))}
          </div>
        )}
      </Loaded>
    </>
  );
}

const portalWords = 'Change your plan with “Change, end, invoices”.';

function heldWords(active: Entitlement[]): string {
  const [first] = active;
  if (!first) return 'The account has no plan yet. Reading and talking to the concierge are free; ordering needs one.';
  const names = active.map(({ name }) => name).join(' and ');
  const overdue = active.some(({ status }) => status === 'past_due');
  return `You have ${names}; the period ends on ${sayDay(first.period.end)}.${overdue ? ' The payment is overdue.' : ''} ${portalWords}`;
}

const price = ({ price: { unit_amount: amount, currency } }: Plan): string => {
  const format = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
};

type PlanProps = { plan: Plan; held: Entitlement | undefined; others: Entitlement[] };

function PlanColumn({ plan, held, others }: PlanProps) {
  const forbidden = useManagerReason();
  const start = useOperation('startCheckout');
  // Another plan for the same callers is a change of the one there is, which the provider's portal makes.
  const instead = others.some(
    ({ access_kind: kind }) => kind === plan.access_kind || kind === 'both' || plan.access_kind === 'both',
  );
  const reason = held
    ? 'This is your plan.'
    : (forbidden ??
      (instead
        ? portalWords
        : plan.checkout_available
          ? null
          : 'Checkout opens once the prices are verified at the payment provider.'));
  const buy = () =>
    start.mutate({ body: { tier: plan.code } }, { onSuccess: ({ checkout: { url } }) => location.assign(url) });
  return (
    <section className={held ? 'plan held' : 'plan'} aria-labelledby={`plan-${plan.code}`}>
      <div className="row between">
        <h2 id={`plan-${plan.code}`}>{plan.name}</h2>
        {held && (
          <span className="status good">
            <IconCircleCheck size={14} aria-hidden /> Your plan
          </span>
        )}
      </div>
      <p className="second small">{accessWords[plan.access_kind]}</p>
      <p>
        <strong className="figure">{price(plan)}</strong> <span className="second">a {plan.price.interval}</span>
      </p>
      <ActionButton
        reason={reason}
        loading={start.isPending}
        onClick={buy}
        fullWidth
        variant={held ? 'default' : 'filled'}
      >
        {held ? 'Current plan' : `Choose ${plan.name}`}
      </ActionButton>
      {start.error && <Failure error={start.error} />}
      <ul className="plan-lines">
        <li>
          <span className="row between">
            {plan.quota} jobs a {plan.price.interval}
            {held && <span className="second small">{held.used} used</span>}
          </span>
          {held && (
            <div className="bar">
              <span style={{ width: `${Math.min(100, (held.used / held.quota) * 100)}%` }} />
            </div>
          )}
        </li>
        <li>{plan.concurrency_limit} at the same time</li>
        <li>
          {plan.access_kind === 'human'
            ? 'Dashboard and concierge'
            : plan.access_kind === 'agent'
              ? 'API, agents and webhooks'
              : 'Dashboard, concierge, API and webhooks'}
        </li>
      </ul>
    </section>
  );
}

/** Card, invoices, another plan, the end: at the payment provider. */
function Portal() {
  const forbidden = useManagerReason();
  const portal = useOperation('startPortal');
  const open = () => portal.mutate({}, { onSuccess: ({ portal: { url } }) => location.assign(url) });
  return (
    <>
      <ActionButton
        variant="default"
        icon={<IconExternalLink size={16} />}
        reason={forbidden}
        loading={portal.isPending}
        onClick={open}
      >
        Change, end, invoices
      </ActionButton>
      {portal.error && <Failure error={portal.error} />}
    </>
  );
}

/** Seconds that the page looks for what the provider's event brings. */
const patience = 60;

/** Back from the provider: the address chooses words only; what the account holds is what the service says. */
function Returned({ result, active }: { result: string; active: Entitlement[] }) {
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
