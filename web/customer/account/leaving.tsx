import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { hasEnded, whyNotClosed } from '../../../contract/plans/plan-words.ts';
import { operationQuery, type Output } from '../../app/api.ts';
import { Farewell } from '../../app/session/leave.tsx';
import { useSession } from '../../app/session/session.tsx';
import { counted } from '../../ui/job/words.ts';
import { Loaded } from '../../ui/page/page.tsx';
import { sayDay } from '../../ui/time/time.tsx';

export function CloseAccount() {
  const { account } = useSession();
  const closing = useQuery({ ...operationQuery('readClosing'), staleTime: 0 });
  const [open, setOpen] = useState(false);
  return (
    <Loaded query={closing} height={80}>
      {({ closing: { possible, running_plans, jobs_to_review, ends } }) => (
        <div className="stack">
          <p className="second">{whatEnds(ends)} Usage stays, without text. This cannot be undone.</p>
          {running_plans > 0 && <PlansFirst />}
          {jobs_to_review.map((id) => (
            <p key={id}>
              A delivery is waiting for you.{' '}
              <Link to={customerPages.job} params={{ id }}>
                Review it first
              </Link>
              .
            </p>
          ))}
          <div>
            <Button variant="default" color="bad" disabled={!possible} onClick={() => setOpen(true)}>
              Close the account
            </Button>
          </div>
          {open && (
            <Farewell
              operation="closeAccount"
              title={`Close ${account.name}?`}
              confirm="Close the account"
              onClose={() => setOpen(false)}
            >
              {whatEnds(ends)} You stay signed in, and can open another account.
            </Farewell>
          )}
        </div>
      )}
    </Loaded>
  );
}

/** Plans that must end first. If the end is set, says from when the account can be closed. */
function PlansFirst() {
  const plans = useQuery(operationQuery('listEntitlements'));
  return plans.data?.entitlements
    .filter((plan) => !hasEnded(plan))
    .map((plan) => (
      <p key={plan.id}>
        {whyNotClosed(plan, sayDay)}
        {plan.ends_at === null && (
          <>
            {' '}
            <Link to={customerPages.plans}>End it first</Link>.
          </>
        )}
      </p>
    ));
}

function whatEnds(ends: Output<'readClosing'>['closing']['ends']): string {
  const list = [
    ends.open_jobs > 0 && counted(ends.open_jobs, 'open job'),
    ends.other_members > 0 && counted(ends.other_members, 'other membership'),
    ends.api_keys > 0 && counted(ends.api_keys, 'API key'),
    ends.webhook_endpoints > 0 && counted(ends.webhook_endpoints, 'webhook endpoint'),
    ends.files > 0 && counted(ends.files, 'file'),
  ].filter((words) => words !== false);
  const named = list.length === 0 ? '' : ` That ends ${new Intl.ListFormat('en').format(list)}.`;
  return `Open jobs are canceled, files and all text are deleted, and nobody can use the account any more.${named}`;
}
