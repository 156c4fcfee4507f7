import { Box } from '@mantine/core';
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
import { type Entitlement, type Plan, useOperation } from '../../app/api.ts';
import { useManagerReason, useRoleReason, useSession } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { PlansSkeleton } from '../../ui/list/skeletons.tsx';
import { accessWords } from '../../ui/job/words.ts';
import { sayDay } from '../../ui/time/time.tsx';
import { leaveForProvider, usePlanRequest } from './plan-request.ts';
import { RequestedPlan } from './requested-plan.tsx';
import { plansReads } from './plans.reads.ts';
import { PortalButton } from './portal.tsx';
import { remedyWords } from './remedy-words.ts';
import { ReturnedFromCheckout } from './returned-from-checkout.tsx';

/** Also the page to which the payment provider returns. */
export function Plans() {
  const [{ checkout }] = useAddress<'checkout'>();
  const request = usePlanRequest();
  const reads = useReads(plansReads);
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
      <PageHead
        title="Plans"
        below={own && <Summary own={own} />}
        actions={own && own.length > 0 && <PortalButton variant="default">Invoices</PortalButton>}
      />
      {checkout && active && <ReturnedFromCheckout result={checkout} active={active} />}
      {request && plans.data && active && <RequestedPlan request={request} plans={plans.data.plans} active={active} />}
      <Loaded query={both} skeleton={<PlansSkeleton />}>
        {({ own, all }) => (
          <div className="plans">
            {all.map((plan) => (
              <PlanColumn key={plan.plan_code} plan={plan} running={own.filter(isRunning)} />
            ))}
          </div>
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

const price = ({ price: { unit_amount: amount, currency } }: Plan): string => {
  const format = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  });
  return format.format(inUnits(amount, format));
};

function PlanColumn({ plan, running }: { plan: Plan; running: Entitlement[] }) {
  const own = running.find(({ plan_code }) => plan_code === plan.plan_code);
  return (
    <Box
      component="section"
      className="plan"
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
      {own ? <OwnPlanButton own={own} /> : <ChooseButton plan={plan} running={running} />}
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
        <li>
          {plan.access_kind === 'human'
            ? 'Dashboard and concierge'
            : plan.access_kind === 'agent'
              ? 'API, agents and webhooks'
              : 'Dashboard, concierge, API and webhooks'}
        </li>
      </ul>
    </Box>
  );
}

const OwnPlanButton = ({ own }: { own: Entitlement }) => (
  <PortalButton fullWidth variant={remedyOf(own) === null ? 'default' : 'filled'}>
    {remedyWords(own).button}
  </PortalButton>
);

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
      <PortalButton fullWidth variant="default" reason={remedyWords(rival).first}>
        {`Change to ${plan.name}`}
      </PortalButton>
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
