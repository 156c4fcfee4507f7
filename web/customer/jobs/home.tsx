import { Box, Skeleton } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { IconMessage, IconPlus } from '../../ui/look/icons.ts';
import { customerPages } from '../../../contract/pages.ts';
import { isPlain, isUsable, planLabel, renews } from '../../../contract/plans/plan-words.ts';
import type { Entitlement, JobListItem } from '../../app/api.ts';
import type { Read } from '../../app/reads.ts';
import { listInterval } from './live-job.ts';
import { useSession } from '../../app/session/session.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { List } from '../../ui/list/list.tsx';
import { PageHead, Panel } from '../../ui/page/page.tsx';
import { roleWords } from '../../ui/job/words.ts';
import { sayDay } from '../../ui/time/time.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { AnswerInvitation } from '../entry/answer-invitation.tsx';
import { FirstSteps } from './first-steps.tsx';
import { homeReads } from './home.reads.ts';
import { columns } from './job-columns.tsx';
import { UsedUp } from '../account/plan-limit.tsx';
import { useUnread } from '../turn.ts';

export function Home() {
  const { user, view } = useSession();
  const reads = useReads(homeReads);
  const counts = useRead(reads.counts);
  const yours = useJobs(reads.yours);
  const waiting = useJobs(reads.waiting);
  const underWay = useJobs(reads.withStudio);
  const plans = useRead(reads.plans);
  // Shows one error if all reads fail for the same reason.
  const failed = [counts, yours, waiting, underWay, plans].filter(({ data, error }) => error && !data);
  return (
    <>
      {view ? <PageHead title="Home" /> : <Hello name={user.name.split(' ')[0] ?? ''} />}
      <div className="stack" style={{ gap: 32 }}>
        {!view && (
          <>
            <InvitationsForMe read={reads.invitations} />
            <FirstSteps waiting={yours.data?.jobs[0]} />
          </>
        )}
        {failed[0]?.error ? (
          <Failure error={failed[0].error} retry={() => failed.forEach(({ refetch }) => void refetch())} />
        ) : (
          <>
            <JobSection
              title="Needs you"
              rows={yours.data && waiting.data && [...waiting.data.jobs, ...yours.data.jobs]}
              none={counts.data && counts.data.counts.completed > 0 ? 'Nothing is waiting for you.' : null}
            />
            <JobSection title="With the studio" rows={underWay.data?.jobs.filter(isWithStudio)} none={null} />
            <WhatIsLeft plans={plans.data?.entitlements} />
          </>
        )}
      </div>
    </>
  );
}

function Hello({ name }: { name: string }) {
  const navigate = useNavigate();
  return (
    <PageHead
      title={`Hello, ${name}`}
      actions={
        <>
          <ActionButton
            variant="default"
            icon={<IconMessage size={16} />}
            onClick={() => void navigate({ to: customerPages.concierge })}
          >
            Talk it through
          </ActionButton>
          <ActionButton icon={<IconPlus size={16} />} onClick={() => void navigate({ to: customerPages.newJob })}>
            New job
          </ActionButton>
        </>
      }
    />
  );
}

function InvitationsForMe({ read }: { read: Read<'listMyInvitations'> }) {
  const { data } = useRead(read);
  return data?.invitations.map(({ id, created_by: { name: inviter }, account_name: account, role }) => (
    <Panel key={id} title={`${inviter} invites you to ${account}`}>
      <div className="row between">
        <span>
          You join as {roleWords[role].toLowerCase()}. Your own account stays; you can switch between both at its name.
        </span>
        <AnswerInvitation id={id} inline />
      </div>
    </Panel>
  ));
}

const isWithStudio = ({ waiting_on }: JobListItem) => waiting_on === null;

const useJobs = (read: Read<'listJobs'>) =>
  useRead(read, { refetchInterval: ({ state }) => listInterval(state.data?.jobs) });

type SectionProps = { title: string; rows: JobListItem[] | undefined; none: string | null };

function JobSection({ title, rows, none }: SectionProps) {
  const { service } = useServiceNames();
  const unread = useUnread();
  if (rows?.length === 0 && none === null) return null;
  return (
    <section aria-label={title} className="bare">
      <h2 className="section-title">{title}</h2>
      {rows?.length === 0 ? (
        <p className="second">{none}</p>
      ) : (
        <List
          label={title}
          rows={rows}
          columns={columns(service, unread.of)}
          rowKey={({ id }) => id}
          href={({ id }) => pathTo(customerPages.job, { id })}
        />
      )}
    </section>
  );
}

function WhatIsLeft({ plans }: { plans: Entitlement[] | undefined }) {
  if (!plans) return <Skeleton className="late" height={60} />;
  const active = plans.filter(isUsable);
  if (active.length === 0) return null;
  return (
    <section aria-label="This period">
      <h2 className="section-title">This period</h2>
      <Box className="stack-small" maw={420}>
        {active.map(({ id, name, used, quota, ...plan }) => (
          <div key={id}>
            <div className="row between">
              <span>
                {name}: {used} of {quota} jobs used
                {plan.ends_at === null && ` until ${sayDay(plan.period.end)}`}
                {!isPlain(plan) && <span className="turn"> · {planLabel(plan, sayDay)}</span>}
              </span>
              <Link to={customerPages.usage} className="small">
                Usage
              </Link>
            </div>
            <Box className="bar" mt={6}>
              <span style={{ width: `${quota === 0 ? 0 : Math.min(100, (used / quota) * 100)}%` }} />
            </Box>
            {used >= quota && <UsedUp next={renews(plan) ? plan.period.end : null} />}
          </div>
        ))}
      </Box>
    </section>
  );
}
