import { Box, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import {
  isPlain,
  isRunning,
  isUsable,
  planLabel,
  planSentence,
  remedyOf,
  renews,
} from '../../../contract/plans/plan-words.ts';
import { inUnits } from '../../../contract/plans/smallest-unit.ts';
import { type Entitlement, type Plan, queryClient, useOperation } from '../../app/api.ts';
import { useManagerReason, useRoleReason, useSession } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { Failure, Loaded, PageHead } from '../../ui/page/page.tsx';
import { planColumns, PlansSkeleton } from '../../ui/list/skeletons.tsx';
import { accessWords } from '../../ui/job/words.ts';
import { sayDay } from '../../ui/time/time.tsx';
import { EveryPlan } from './every-plan.tsx';
import { leaveForProvider, usePlanRequest } from './plan-request.ts';
import { RequestedPlan } from './requested-plan.tsx';
import { pageReads } from '../reads.ts';
import { PortalButton } from './portal.tsx';
import { remedyWords } from './plan-words.ts';

/** Also the page to which the payment provider returns. */
export function Plans() {
  const [{ checkout }] = useAddress<'checkout'>();
  const request = usePlanRequest();
  const reads = useReads(pageReads.plans);
  const plans = useRead(reads.plans);
  const granted = useRead(reads.own);
  const own = granted.data?.entitlements;
  const active = own?.filter(isUsable);
  // Which plans can be chosen depends on the account's plans.
  const both = {
    data: own && plans.data && { own, all: plans.data.plans },
    error: plans.error ?? granted.error,
    refetch: () => Promise.all([plans.refetch(), granted.refetch()]),
  };
  return (
    <>
      <PageHead title="Plans" below={own && <Summary own={own} />}>
        {own && own.length > 0 && <PortalButton label="Invoices" variant="default" />}
      </PageHead>
      {checkout && active && <ReturnedFromCheckout result={checkout} active={active} />}
      {request && plans.data && active && <RequestedPlan request={request} plans={plans.data.plans} active={active} />}
      <Loaded query={both} skeleton={<PlansSkeleton />}>
        {({ own, all }) => (
          <>
            <Box {...planColumns}>
              {all.map((plan) => (
                <PlanColumn key={plan.plan_code} plan={plan} running={own.filter(isRunning)} />
              ))}
            </Box>
            <EveryPlan />
          </>
        )}
      </Loaded>
    </>
  );
}

function Summary({ own }: { own: Entitlement[] }) {
  const forbidden = useRoleReason();
  const running = own.filter(isRunning);
  const [last] = own;
  const state =
    running.length > 0
      ? running.map((plan) => planSentence(plan, sayDay)).join(' ')
      : last
        ? `${planSentence(last, sayDay)} Ordering needs a plan.`
        : 'The account has no plan yet. Reading and talking to the concierge are free; ordering needs one.';
  return forbidden ? `${state} ${forbidden}` : state;
}

function price({ price: { unit_amount: amount, currency } }: Plan): string {
  const format = new Intl.NumberFormat([], { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  return format.format(inUnits(amount, format));
}

const doors = {
  human: 'Dashboard and concierge',
  agent: 'API, agents and webhooks',
  both: 'Dashboard, concierge, API and webhooks',
};

function PlanColumn({ plan, running }: { plan: Plan; running: Entitlement[] }) {
  const own = running.find(({ plan_code }) => plan_code === plan.plan_code);
  return (
    <Box
      component="section"
      className="plan stack"
      bg={own ? 'var(--panel)' : ''}
      style={own ? { boxShadow: 'inset 0 2px 0 var(--accent)' } : {}}
      aria-labelledby={`plan-${plan.plan_code}`}
    >
      <div className="row between">
        <Box component="h2" fz={16} fw={600} id={`plan-${plan.plan_code}`}>
          {plan.name}
        </Box>
        {own && (
          <span className={renews(own) ? 'status good' : 'status turn'}>
            {isPlain(own) ? 'Your plan' : planLabel(own, sayDay)}
          </span>
        )}
      </div>
      <p className="second small">{accessWords[plan.access_kind]}</p>
      <p>
        <strong className="figure">{price(plan)}</strong> <span className="second">a {plan.price.interval}</span>
      </p>
      {own ? (
        <PortalButton
          label={remedyWords(own).button}
          fullWidth
          variant={remedyOf(own) === null ? 'default' : 'filled'}
        />
      ) : (
        <ChooseButton plan={plan} running={running} />
      )}
      <ul className="plan-lines">
        <li>
          <span className="row between">
            {plan.quota} jobs a {plan.price.interval}
            {own && <span className="second small">{own.used} used</span>}
          </span>
          {own && (
            <div className="bar">
              <span style={{ width: `${Math.min(100, (own.used / own.quota) * 100)}%` }} />
            </div>
          )}
        </li>
        <li>{plan.concurrency_limit} at the same time</li>
        <li>{doors[plan.access_kind]}</li>
      </ul>
    </Box>
  );
}

function ChooseButton({ plan, running }: { plan: Plan; running: Entitlement[] }) {
  const { view } = useSession();
  const forbidden = useManagerReason();
  const start = useOperation('startCheckout');
  if (view) return null;
  const rivals = running.filter(
    ({ access_kind: kind }) => kind === plan.access_kind || kind === 'both' || plan.access_kind === 'both',
  );
  const rival = rivals.find((other) => remedyOf(other) !== null) ?? rivals[0];
  // The existing subscription is changed instead of adding a second one.
  if (rival)
    return (
      <PortalButton label={`Change to ${plan.name}`} fullWidth variant="default" reason={remedyWords(rival).first} />
    );
  const unavailable = plan.checkout_available
    ? null
    : 'Checkout opens once the prices are verified at the payment provider.';
  const buy = () =>
    start.mutate(
      { body: { plan_code: plan.plan_code } },
      { onSuccess: ({ checkout: { url } }) => leaveForProvider(url) },
    );
  return (
    <>
      <ActionButton reason={forbidden ?? unavailable} loading={start.isPending} onClick={buy} fullWidth>
        {`Choose ${plan.name}`}
      </ActionButton>
      {start.error && <Failure error={start.error} />}
    </>
  );
}

/** Seconds to wait for the provider's event. */
const patience = 60;

/** The address only chooses the wording. The service says what the account has. */
function ReturnedFromCheckout({ result, active }: { result: string; active: Entitlement[] }) {
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
  const bought = result === 'success' && active.length > 0;
  const words =
    result !== 'success'
      ? 'You left the checkout. Nothing was bought.'
      : bought
        ? `${active.map(({ name }) => name).join(' and ')} is active. You can order now.`
        : waiting
          ? 'Thank you. Waiting for the payment provider to confirm…'
          : 'The confirmation takes longer than usual. Your plan starts as soon as it arrives; nothing is lost.';
  return (
    <div className={bought ? 'note good row' : 'note row'} role="status" style={{ marginBottom: 20 }}>
      {words}
      {bought && <Link to={customerPages.newJob}>Order a job</Link>}
      <Button className="push" variant="subtle" size="xs" h={26} onClick={() => setAddress({ checkout: undefined })}>
        Close
      </Button>
    </div>
  );
}
