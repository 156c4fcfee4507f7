import { useQuery } from '@tanstack/react-query';
import { planSentence, remedyOf } from '../../../contract/plans/plan-words.ts';
import { operationQuery } from '../../app/api.ts';
import { useRoleReason, useSession } from '../../app/session/session.tsx';
import { sayDay } from '../../ui/time/time.tsx';
import { hasStopped, isInTrouble } from './plan-words.ts';
import { PortalButton } from './portal.tsx';
import { remedyWords } from './remedy-words.ts';

/** Warns on every page while a plan is paused, overdue or stopped. */
export function PlanBanner() {
  const { role, plans } = useSession();
  const { data } = useQuery({ ...operationQuery('listEntitlements'), enabled: hasStopped(plans) });
  const forbidden = useRoleReason();
  const stopped = data?.entitlements.filter(isInTrouble) ?? [];
  const [first] = stopped;
  if (!first || !hasStopped(plans)) return null;
  return (
    <div className="banner row">
      <span>{stopped.map((plan) => planSentence(plan, sayDay)).join(' ')}</span>
      {role === 'member' ? (
        <span>{forbidden}</span>
      ) : (
        remedyOf(first) !== 'ask' && (
          <PortalButton size="xs" variant="default">
            {remedyWords(first).button}
          </PortalButton>
        )
      )}
    </div>
  );
}
