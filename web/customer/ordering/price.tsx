import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isUsable, servesUntil } from '../../../contract/plans/plan-words.ts';
import { operationQuery, type Preflight } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { sayDay } from '../../ui/time/time.tsx';
import { planNames } from '../account/plan-words.ts';

/** "1 job, then 478 left", for the button; null if nothing is left or it is not known. */
export function sayPrice(preflight: Preflight | null): string | null {
  const remaining = preflight?.usage.remaining ?? 0;
  return remaining > 0 ? `1 job, then ${remaining - 1} left` : null;
}

/** What the order costs: one job of the plan, and what is used then. */
export function Price({ preflight }: { preflight: Preflight | null }) {
  const { plans } = useSession();
  const { data } = useQuery(operationQuery('listEntitlements'));
  const [ends] = (data?.entitlements ?? [])
    .filter((plan) => isUsable(plan) && plan.access_kind !== 'agent')
    .map(servesUntil)
    .toSorted();
  if (!preflight || preflight.usage.quota === 0) return null;
  const { used, quota, remaining } = preflight.usage;
  return (
    <div className="stack-small price">
      <p>
        <Box component="strong" fz={24} fw={600} lts="-0.01em">
          1 job
        </Box>{' '}
        <span className="second small">of your {planNames(plans)}</span>
      </p>
      <div className="bar">
        <span style={{ width: `${Math.min(100, ((used + 1) / quota) * 100)}%` }} />
      </div>
      {remaining > 0 && (
        <p className="small second">
          Then {used + 1} of {quota} used{ends && ` until ${sayDay(ends)}`}.
        </p>
      )}
    </div>
  );
}
