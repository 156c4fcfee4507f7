import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { planSentence, remedyOf } from '../../../contract/plans/plan-words.ts';
import { operationQuery } from '../../app/api.ts';
import { useInstallation } from '../../app/installation.ts';
import { useRoleReason, useSession } from '../../app/session/session.tsx';
import { sayDay } from '../../ui/time/time.tsx';
import { hasStopped, isInTrouble, remedyWords } from './plan-words.ts';
import { PortalButton } from './portal.tsx';

/** Warns on every page while a plan is paused, overdue or stopped. */
export function PlanBanner() {
  const { plans } = useSession();
  const { data } = useQuery({ ...operationQuery('listEntitlements'), enabled: hasStopped(plans) });
  const forbidden = useRoleReason();
  const stopped = data?.entitlements.filter(isInTrouble) ?? [];
  const [first] = stopped;
  if (!first || !hasStopped(plans)) return null;
  return (
    <div className="banner row">
      <span>{stopped.map((plan) => planSentence(plan, sayDay)).join(' ')}</span>
      {forbidden ? (
        <span>{forbidden}</span>
      ) : (
        remedyOf(first) !== 'ask' && <PortalButton label={remedyWords(first).button} size="xs" variant="default" />
      )}
    </div>
  );
}

export function Suspended() {
  const support = useInstallation()?.studio.support;
  const address = support?.email ? `mailto:${support.email}` : support?.url;
  return (
    <div className="banner">
      The studio has suspended this account. You can read, export and approve; work in progress goes on.{' '}
      {address ? <a href={address}>Write to the studio</a> : 'Write to the studio'} to have it reopened.
    </div>
  );
}

/** Tells people in test mode that plans are free and where to find mails. */
export function TestMode() {
  const installation = useInstallation();
  if (!installation || installation.livemode) return null;
  const { mailbox } = installation;
  return (
    <Box component="span" className="small second" display="block" p={8} mb={8}>
      Test mode: plans cost nothing
      {mailbox && (
        <>
          , and mails are in <a href={mailbox}>the mailbox</a>
        </>
      )}
      .
    </Box>
  );
}
