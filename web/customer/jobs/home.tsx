import { Box, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  IconChevronRight,
  IconCircleCheckFilled,
  IconCircleDashed,
  IconMessage,
  IconPlus,
} from '../../ui/look/icons.ts';
import type { JobStatus } from '../../../contract/moves.ts';
import { customerPages } from '../../../contract/pages.ts';
import { isPlain, isUsable, planLabel, renews } from '../../../contract/plans/plan-words.ts';
import { type Entitlement, type JobListItem, operationQuery } from '../../app/api.ts';
import type { Read } from '../../app/reads.ts';
import { listInterval } from './live-job.ts';
import { useRoleReason, useSession } from '../../app/session/session.tsx';
import { PageButton } from '../../ui/form/action-button.tsx';
import { Failure, PageHead, Panel } from '../../ui/page/page.tsx';
import { roleWords } from '../../ui/job/words.ts';
import { sayDay } from '../../ui/time/time.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { AnswerInvitation } from '../entry/answer-invitation.tsx';
import { pageReads } from '../reads.ts';
import { JobList } from './job-list.tsx';
import { isForPrograms, UsedUp } from '../account/plan-limit.tsx';
import { hasStopped } from '../account/plan-words.ts';
import { pathTo } from '../../ui/page/address.ts';

export function Home() {
  const { user, view } = useSession();
  const reads = useReads(pageReads.home);
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
            {counts.data && <FirstSteps counts={counts.data.counts} waiting={yours.data?.jobs[0]} />}
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
            <JobSection title="With the studio" rows={underWay.data?.jobs.filter(isWithStudio)} />
            <WhatIsLeft plans={plans.data?.entitlements} />
          </>
        )}
      </div>
    </>
  );
}

const Hello = ({ name }: { name: string }) => (
  <PageHead title={`Hello, ${name}`}>
    <PageButton
      label="Talk it through"
      variant="default"
      icon={<IconMessage size={16} />}
      to={customerPages.concierge}
    />
    <PageButton label="New job" icon={<IconPlus size={16} />} to={customerPages.newJob} />
  </PageHead>
);

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

function JobSection({ title, rows, none }: { title: string; rows?: JobListItem[]; none?: string | null }) {
  if (rows?.length === 0 && !none) return null;
  return (
    <section aria-label={title} className="bare">
      <h2 className="section-title">{title}</h2>
      {rows?.length === 0 ? <p className="second">{none}</p> : <JobList label={title} rows={rows} />}
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

type Step = { title: string; why: string; to: string; done: boolean };

/** Steps are checked off by the account's data. Hidden once all are done. */
function FirstSteps({ counts, waiting }: { counts: Record<JobStatus, number>; waiting?: JobListItem }) {
  const { user, plans } = useSession();
  const forbidden = useRoleReason();
  const keys = useQuery({ ...operationQuery('listApiKeys'), enabled: isForPrograms(plans) && forbidden === null });
  const ordered = Object.values(counts).some((count) => count > 0);
  const steps: Step[] = [
    {
      title: 'Verify your e-mail address',
      why: 'Open the link in the mail that we sent you. Until then you can look around, but change nothing.',
      to: customerPages.verifyEmail,
      done: user.email_verified,
    },
    {
      title: 'Choose a plan',
      why: 'It sets how many jobs you can order, and whether programs can order too.',
      to: customerPages.plans,
      done: plans.active || hasStopped(plans) || ordered,
    },
    isForPrograms(plans)
      ? {
          title: 'Make an API key',
          why: 'Your plan is for programs: they order with it.',
          to: customerPages.keys,
          done: ordered || Boolean(keys.data?.api_keys.some(({ status }) => status === 'active')),
        }
      : {
          title: 'Order your first job',
          why: 'Choose from the catalog, or talk it through with the concierge.',
          to: customerPages.newJob,
          done: ordered,
        },
    {
      title: 'Review what the studio made',
      why: 'Approve it, or ask for changes.',
      to: waiting ? pathTo(customerPages.job, { id: waiting.id }) : customerPages.jobs,
      done: counts.completed > 0,
    },
  ];
  if (steps.every(({ done }) => done)) return null;
  const next = steps.findIndex(({ done }) => !done);
  return (
    <section className="panel" aria-label="First steps">
      <div className="panel-head">
        <h2>First steps</h2>
        <span className="second">
          {steps.filter(({ done }) => done).length} of {steps.length}
        </span>
      </div>
      <ol>
        {steps.map((step, index) => (
          <StepRow key={step.title} {...step} isFirst={index === 0} isNext={index === next} />
        ))}
      </ol>
    </section>
  );
}

const StepRow = ({ title, why, to, done, isFirst, isNext }: Step & { isFirst: boolean; isNext: boolean }) => (
  <Box
    component="li"
    className="icon-line"
    display="flex"
    p="10px 16px"
    c="var(--second)"
    bg={isNext ? 'var(--accent-soft)' : ''}
    style={{ gap: 12, borderTop: isFirst ? 0 : '1px solid var(--line)' }}
  >
    {done ? (
      <>
        <IconCircleCheckFilled size={18} aria-label="Done" className="good" />
        <span>{title}</span>
      </>
    ) : (
      <>
        <IconCircleDashed size={18} aria-label="To do" className="third" />
        <span>
          <Link to={to} style={{ fontWeight: isNext ? 500 : 400 }}>
            {title}
          </Link>
          <span className="cell-second">{why}</span>
        </span>
      </>
    )}
    {isNext && <IconChevronRight size={16} className="push" aria-hidden />}
  </Box>
);
