import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../contract/pages.ts';
import { operationQuery, type Preflight } from '../api.ts';
import { sayDay } from '../ui/time.tsx';
import { errorWords } from '../ui/words.ts';

type Reason = Preflight['blocking_reasons'][number];

export const blockingWords = ({ code, message, action }: Reason) =>
  (code === 'intake_incomplete' ? null : errorWords[code]) ?? { title: message, step: action };

const planCodes = new Set<string>(['entitlement_required', 'quota_exceeded', 'concurrency_limit_exceeded']);

/** Why an order is refused now, and the way on: the day on which the quota begins anew, and the other plans. */
export function Blocked({ reason }: { reason: Reason }) {
  const { title, step } = blockingWords(reason);
  return (
    <div className="note bad">
      <strong>{title}.</strong> {step} {reason.code === 'quota_exceeded' && <NextPeriod />}{' '}
      {planCodes.has(reason.code) && <Link to={customerPages.plans}>See plans</Link>}
      {reason.code === 'email_unverified' && <Link to={customerPages.verifyEmail}>Ask for another mail</Link>}
    </div>
  );
}

function NextPeriod() {
  const { data } = useQuery(operationQuery('listEntitlements'));
  const ends = data?.entitlements
    .filter(({ status, access_kind: kind }) => status === 'active' && kind !== 'agent')
    .map(({ period }) => period.end);
  const [first] = ends?.toSorted() ?? [];
  return first && `The next one begins on ${sayDay(first)}.`;
}
/** Beside a quota that is used up. */
export const UsedUp = ({ next }: { next: string }) => (
  <p className="note bad">
    <strong>The jobs of this period are used up.</strong> The next one begins on {sayDay(next)}.{' '}
    <Link to={customerPages.plans}>See plans</Link>
  </p>
);

