import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { isUsable, remedyOf, remedySentences, renews, whyStopped } from '../../../contract/plans/plan-words.ts';
import { type Entitlement, operationQuery, type Preflight } from '../../app/api.ts';
import { type Session, useSession } from '../../app/session/session.tsx';
import { sayDay } from '../../ui/time/time.tsx';
import { errorWords } from '../../ui/job/words.ts';
import { hasStopped, isInTrouble } from './plan-words.ts';

type Reason = Preflight['blocking_reasons'][number];

/** Why an order is blocked, in words for people. Plans for programs do not count here. */
export function useBlockingWords(reason: Reason | null): { title: string; step: string } | null {
  const { plans } = useSession();
  const stopped = useStoppedPlan();
  if (reason === null) return null;
  const { code, message, action } = reason;
  if (code === 'entitlement_required' && stopped)
    return { title: whyStopped(stopped), step: remedySentences[remedyOf(stopped) ?? 'ask'] };
  if (code === 'entitlement_required' && isForPrograms(plans))
    return { title: 'Your plan is for programs', step: 'Order with a key, or choose a plan for people.' };
  return (code === 'intake_incomplete' ? null : errorWords[code]) ?? { title: message, step: action };
}

/** The plan that people could use if it were resumed or paid. */
function useStoppedPlan(): Entitlement | undefined {
  const { data } = useQuery({ ...operationQuery('listEntitlements'), enabled: hasStopped(useSession().plans) });
  return data?.entitlements.find((plan) => isInTrouble(plan) && !isUsable(plan) && plan.access_kind !== 'agent');
}

/** Programs may order, people may not. */
export const isForPrograms = ({ api_access, dashboard_access }: Session['plans']): boolean =>
  api_access && !dashboard_access;

const planCodes = new Set<string>(['entitlement_required', 'quota_exceeded', 'concurrency_limit_exceeded']);

export function Blocked({ reason, plansLink }: { reason: Reason; plansLink: ReactNode }) {
  const words = useBlockingWords(reason);
  return (
    words && (
      <div className="note bad">
        <strong>{words.title}.</strong> {words.step} {reason.code === 'quota_exceeded' && <NextPeriod />}{' '}
        {planCodes.has(reason.code) && plansLink}
        {reason.code === 'email_unverified' && <Link to={customerPages.verifyEmail}>Ask for another mail</Link>}
      </div>
    )
  );
}

/** `next`: when a new period begins; null if none follows. */
export const UsedUp = ({ next }: { next: string | null }) => (
  <p className="note bad">
    <strong>{errorWords.quota_exceeded?.title}.</strong> {next !== null && sayNext(next)}{' '}
    <Link to={customerPages.plans}>See plans</Link>
  </p>
);

const sayNext = (periodEnd: string) => `The next one begins on ${sayDay(periodEnd)}.`;

function NextPeriod() {
  const { data } = useQuery(operationQuery('listEntitlements'));
  const next = nextPeriod(data?.entitlements.filter(({ access_kind: kind }) => kind !== 'agent') ?? []);
  return next !== null && sayNext(next);
}

/** When the first of the plans grants anew; null if none does. */
export function nextPeriod(plans: Entitlement[]): string | null {
  const ends = plans.filter(renews).map(({ period }) => period.end);
  return ends.toSorted()[0] ?? null;
}
