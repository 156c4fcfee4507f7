import { Box } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { JobStatus } from '../../../contract/moves.ts';
import { customerPages } from '../../../contract/pages.ts';
import { isPlain, isUsable, planLabel, renews } from '../../../contract/plans/plan-words.ts';
import type { Entitlement, JobListItem } from '../../app/api.ts';
import type { Read } from '../../app/reads.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useOrders, useSession } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { PageButton } from '../../ui/form/action-button.tsx';
import { roleWords } from '../../ui/job/words.ts';
import { IconGridDots, IconMessage } from '../../ui/look/icons.ts';
import { pathTo } from '../../ui/page/address.ts';
import { Failure, PageHead, Panel } from '../../ui/page/page.tsx';
import { sayDay } from '../../ui/time/time.tsx';
import { UsedUp } from '../account/plan-limit.tsx';
import { AnswerInvitation } from '../entry/answer-invitation.tsx';
import { servicesOf, spreadOver } from '../ordering/find-services.ts';
import { NeedBox } from '../ordering/need/need-box.tsx';
import { useNeed } from '../ordering/need/use-need.ts';
import { WaitingOrders, waitingOrdersRead } from '../ordering/waiting-orders.tsx';
import { ServiceCard } from '../ordering/service-card.tsx';
import { pageReads } from '../reads.ts';
import { FirstSteps } from './first-steps.tsx';
import { useYourTurn } from '../turn.ts';
import { inOrder } from './home-rows.ts';
import { JobList } from './job-list.tsx';
import { listInterval } from './live-job.ts';

export function Home() {
  const { view } = useSession();
  const orders = useOrders();
  const reads = useReads(pageReads.home);
  const counts = useRead(reads.counts);
  const yours = useJobs(reads.yours);
  const waiting = useJobs(reads.waiting);
  const underWay = useJobs(reads.withStudio);
  const plans = useRead(reads.plans, { enabled: orders || view !== null });
  const toConfirm = useRead(waitingOrdersRead, { enabled: orders, refetchInterval: 30_000 }).data?.orders ?? [];
  const yourTurn = useYourTurn();
  // Shows one error if all reads fail for the same reason.
  const failed = [counts, yours, waiting, underWay, plans].filter(({ data, error }) => error && !data);
  const isFirstDay = counts.data && Object.values(counts.data.counts).every((count) => count === 0);
  return (
    <>
      {orders ? <WhatYouNeed /> : <PageHead title="Home" />}
      <Box className="stack" mt={orders ? 28 : 0} style={{ gap: 28 }}>
        {!view && (
          <>
            <InvitationsForMe read={reads.invitations} />
            {orders && counts.data && <FirstSteps counts={counts.data.counts} waiting={yours.data?.jobs[0]} />}
          </>
        )}
        {failed[0]?.error ? (
          <Failure error={failed[0].error} retry={() => failed.forEach(({ refetch }) => void refetch())} />
        ) : isFirstDay && toConfirm.length === 0 && orders ? (
          <Services />
        ) : (
          <>
            <JobSection
              title="Needs you"
              rows={yours.data && waiting.data && [...waiting.data.jobs, ...yours.data.jobs]}
              none={!orders || (counts.data?.counts.completed ?? 0) > 0 ? 'Nothing is waiting for you.' : null}
              all={pathTo(customerPages.jobs, {}, { status: 'yours' })}
              count={yourTurn ?? 0}
            >
              {toConfirm.length > 0 && <WaitingOrders rows={toConfirm} />}
            </JobSection>
            <JobSection
              title="With the studio"
              rows={underWay.data?.jobs.filter(isWithStudio)}
              all={customerPages.jobs}
              count={withStudio(counts.data?.counts)}
            />
          </>
        )}
        {!failed[0] && (orders || view) && <WhatIsLeft plans={plans.data?.entitlements} />}
      </Box>
    </>
  );
}

function WhatYouNeed() {
  const need = useNeed();
  const [{ draft }] = need;
  const talk = draft ? pathTo(customerPages.conversation, { id: draft }) : customerPages.concierge;
  return (
    <>
      <PageHead title="What do you need?">
        <PageButton label="Catalog" variant="subtle" icon={<IconGridDots size={16} />} to={customerPages.newJob} />
        <PageButton label="Talk it through" variant="subtle" icon={<IconMessage size={16} />} to={talk} />
      </PageHead>
      <NeedBox of={need} />
    </>
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

const withStudio = (counts: Record<JobStatus, number> | undefined): number =>
  counts ? counts.queued + counts.accepted + counts.running + counts.needs_review : 0;

const isWithStudio = ({ waiting_on }: JobListItem) => waiting_on === null;

const useJobs = (read: Read<'listJobs'>) =>
  useRead(read, { refetchInterval: ({ state }) => listInterval(state.data?.jobs) });

type SectionProps = {
  title: string;
  rows?: JobListItem[] | undefined;
  none?: string | null;
  all: string;
  count: number;
  children?: ReactNode;
};

/** How many rows a section has. */
const mostRows = 6;

function JobSection({ title, rows, none, all, count, children }: SectionProps) {
  if (rows?.length === 0 && !none && !children) return null;
  return (
    <section aria-label={title} className="bare">
      <h2 className="section-title">{title}</h2>
      {children}
      {rows?.length === 0 ? (
        !children && <p className="second">{none}</p>
      ) : (
        <JobList label={title} rows={rows && inOrder(rows).slice(0, mostRows)} isHome />
      )}
      {count > mostRows && rows && (
        <Box component="p" mt={8} className="small">
          <Link to={all}>All {count}</Link>
        </Box>
      )}
    </section>
  );
}

function WhatIsLeft({ plans }: { plans: Entitlement[] | undefined }) {
  // The last part of the page: nothing waits below it.
  const active = plans?.filter(isUsable) ?? [];
  if (active.length === 0) return null;
  return (
    <section className="stack-small small second" aria-label="This period">
      {active.map(({ id, name, used, quota, ...plan }) => (
        <div key={id}>
          <div className="row" style={{ gap: '4px 12px' }}>
            <span>
              <Link to={customerPages.usage} className="second">
                {name} plan
              </Link>
              : {used} of {quota} jobs used
              {plan.ends_at === null && ` until ${sayDay(plan.period.end)}`}
              {!isPlain(plan) && <span className="turn"> · {planLabel(plan, sayDay)}</span>}
            </span>
            <Box className="bar" w={120}>
              <span style={{ width: `${quota === 0 ? 0 : Math.min(100, (used / quota) * 100)}%` }} />
            </Box>
          </div>
          {used >= quota && <UsedUp next={renews(plan) ? plan.period.end : null} />}
        </div>
      ))}
    </section>
  );
}

/** How many services the first day shows. */
const mostServices = 8;

/** While there is no work yet: where to start from. */
function Services() {
  const { families } = useServiceNames();
  const all = servicesOf(families);
  return (
    <section aria-label="Services">
      <div className="row between">
        <h2 className="section-title">Or start from a service</h2>
        <Link to={customerPages.newJob} className="small">
          All {all.length} services
        </Link>
      </div>
      <ul className="services">
        {spreadOver(families, mostServices).map((service) => (
          <li key={`${service.family.id}.${service.option.id}`}>
            <ServiceCard {...service} draft={null} />
          </li>
        ))}
      </ul>
    </section>
  );
}
