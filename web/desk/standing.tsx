import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { isEnded } from '../../contract/moves.ts';
import { type DeskJob, type DeskJobListItem, operationQuery } from '../app/api.ts';
import { IconAlertTriangle, IconCalendarExclamation } from '../ui/look/icons.ts';
import { sayDay, useUtc } from '../ui/time/time.tsx';
import { markStanding, sayOrders, sayStanding, sayState, type Standing } from './standing-words.ts';

function Icon({ state, style }: Pick<Standing, 'state'> & { style?: CSSProperties }) {
  const Mark = state === 'ends' ? IconCalendarExclamation : IconAlertTriangle;
  return <Mark size={13} aria-hidden style={style} />;
}

/** What is done already needs nobody's look. */
const standingOfJob = ({ status, account }: Pick<DeskJobListItem, 'status'> & Pick<DeskJob, 'account'>) =>
  isEnded(status) ? null : (account?.standing ?? null);

/** In a row: an icon and a word or two. */
export function StandingMark({ standing }: { standing: Standing | null }) {
  useUtc();
  if (!standing) return null;
  return (
    <span
      className={`icon-line nowrap ${standing.state === 'ends' ? 'second' : 'turn'}`}
      style={{ gap: 4 }}
      title={sayStanding(standing, sayDay)}
    >
      <Icon state={standing.state} /> {markStanding(standing, sayDay)}
    </span>
  );
}

/** On two lines. Red is only what is not paid; the others are facts. */
export function StandingCell({ standing }: { standing: Standing }) {
  useUtc();
  const isUnpaid = ['overdue', 'not_paid', 'stopped'].includes(standing.state);
  return (
    <>
      <span className={isUnpaid ? 'icon-line nowrap bad' : 'icon-line nowrap'} style={{ fontWeight: 500 }}>
        <Icon state={standing.state} /> {sayState(standing, sayDay)}
      </span>
      <span className="cell-second">{sayOrders(standing, sayDay)}</span>
    </>
  );
}

export const RowStanding = ({ job }: { job: DeskJobListItem }) => <StandingMark standing={standingOfJob(job)} />;

/** One line above what can be done with the job. Work goes on, so nothing is forbidden by it. */
export function StandingLine({ job }: { job: DeskJob }) {
  useUtc();
  const standing = standingOfJob(job);
  const suspended = standing?.state === 'suspended';
  const account = useQuery({
    ...operationQuery('readAccount', { path: { id: job.account?.id ?? '' } }),
    enabled: suspended,
  });
  if (!standing) return null;
  const reason = suspended ? account.data?.account.suspension?.reason : undefined;
  return (
    <Group className="turn" role="note" gap={6} wrap="nowrap" align="flex-start" fz={13} lh="18px">
      <Icon state={standing.state} style={{ flex: 'none', marginTop: 3 }} />
      <Text inherit span lineClamp={2} className="breaks" title={reason}>
        {sayStanding(standing, sayDay)}
        {reason && `: ${reason}`}
      </Text>
    </Group>
  );
}

/** Above the page of an account. Its plans say the rest. */
export function StandingNote({ standing }: { standing: Standing | null }) {
  useUtc();
  if (!standing) return null;
  return (
    <p className="note turn icon-line" role="status" style={{ marginBottom: 20 }}>
      <Icon state={standing.state} /> {sayStanding(standing, sayDay)}
    </p>
  );
}
