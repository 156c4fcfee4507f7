import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { type Entitlement, operationQuery, type Preflight } from '../../app/api.ts';
import { type Session, useSession } from '../../app/session/session.tsx';
import { sayDay } from '../../ui/time/time.tsx';
import { errorWords } from '../../ui/job/words.ts';
import { hasStopped } from './plan-words.ts';

type Reason = Preflight['blocking_reasons'][number];

/** Why an order is blocked, in words for people. Plans for programs do not count here. */
export function useBlockingWords(reason: Reason | null): { title: string; step: string } | null {
  const { plans } = useSession();
  const stopped = useStoppedPlan();
  if (reason === null) return null;
  const { code, message, action } = reason;
  if (code === 'entitlement_required' && stopped)
    return stopped.status === 'paused'
      ? { title: `${stopped.name} is paused`, step: 'An owner or admin of the account resumes it.' }
      : { title: `The payment for ${stopped.name} is overdue`, step: 'An owner or admin of the account pays it.' };
  if (code === 'entitlement_required' && isForPrograms(plans))
    return { title: 'Your plan is for programs', step: 'Order with a key, or choose a plan for people.' };
  return (code === 'intake_incomplete' ? null : errorWords[code]) ?? { title: message, step: action };
}

/** The plan that people could use if it were resumed or paid. */
function useStoppedPlan(): Entitlement | undefined {
  const { data } = useQuery({ ...operationQuery('listEntitlements'), enabled: hasStopped(useSession().plans) });
  return data?.entitlements.find(
    ({ status, access_kind: kind }) => (status === 'paused' || status === 'past_due') && kind !== 'agent',
  );
}

/** Programs may order, people may not. */
export const isForPrograms = ({ api_access, dashboard_access }: Session['plans']): boolean =>
  api_access && !dashboard_access;

const planCodes = new Set<string>(['entitlement_required', 'quota_exceeded', 'concurrency_limit_exceeded']);

/** Why an order is blocked, and what to do about it. */
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

export const UsedUp = ({ next }: { next: string }) => (
  <p className="note bad">
    <strong>{errorWords.quota_exceeded?.title}.</strong> {sayNext(next)} <Link to={customerPages.plans}>See plans</Link>
  </p>
);

const sayNext = (periodEnd: string) => `The next one begins on ${sayDay(periodEnd)}.`;

function NextPeriod() {
  const { data } = useQuery(operationQuery('listEntitlements'));
  const ends = data?.entitlements
    .filter(({ status, access_kind: kind }) => status === 'active' && kind !== 'agent')
    .map(({ period }) => period.end);
  const [first] = ends?.toSorted() ?? [];
  return first && sayNext(first);
}
