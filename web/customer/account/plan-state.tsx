import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../../app/api.ts';
import { useRoleReason, useSession } from '../../app/session/session.tsx';
import { hasStopped, stateWords } from './plan-words.ts';
import { PortalButton } from './portal.tsx';

/** Warns on every page while a plan is paused or overdue. */
export function PlanBanner() {
  const { role, plans } = useSession();
  const { data } = useQuery({ ...operationQuery('listEntitlements'), enabled: hasStopped(plans) });
  const forbidden = useRoleReason();
  const stopped = data?.entitlements.filter(({ status }) => status === 'paused' || status === 'past_due') ?? [];
  const [first] = stopped;
  if (!first || !hasStopped(plans)) return null;
  return (
    <div className="banner row">
      <span>{stopped.map(stateWords).join(' ')}</span>
      {role === 'member' ? (
        <span>{forbidden}</span>
      ) : (
        <PortalButton size="xs" variant="default">
          {first.status === 'paused' ? `Resume ${first.name}` : `Pay ${first.name}`}
        </PortalButton>
      )}
    </div>
  );
}
