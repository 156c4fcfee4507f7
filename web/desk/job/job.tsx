import { Box, Skeleton, UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { deskPages } from '../../../contract/pages.ts';
import type { DeskJob, JobBrand, JobEvent } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Time } from '../../ui/time/time.tsx';
import { keptUntil } from '../../ui/job/retention.ts';
import { BrandFacts } from '../../ui/job/brand-facts.tsx';
import { Rejection } from '../../ui/job/rejection.tsx';
import { ColumnsSkeleton } from '../../ui/list/skeletons.tsx';
import { IconChevronDown, IconChevronRight } from '../../ui/look/icons.ts';
import { pathTo } from '../../ui/page/address.ts';
import { Facts, Loaded, PageHead, Panel } from '../../ui/page/page.tsx';
import { part } from '../../ui/page/part.tsx';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { useMay } from '../may.ts';
import { dueFacts, orderFacts } from '../queue/due.tsx';
import { queuePlace, useBackToQueue } from '../queue/queue-place.ts';
import { useTakeNext } from '../queue/take-next.ts';
import { useReviewAddress } from '../review/address.ts';
import { ClockPanel, HoldPanel } from './hold-panel.tsx';
import { AccountLink, CustomerWords } from './customer-words.tsx';
import { DeliveryPanel, Released, SmallFiles } from './delivery.tsx';
import { JobHead, useWalk } from './job-head.tsx';
import { jobReads } from './job.reads.ts';
import { MoveBar, MovesPanel } from './moves-panel.tsx';
import { AccountNotePanel, MessageField, Notes, Talk } from './talk.tsx';
import { ParkedNote } from './parked-note.tsx';
import { nextFiles, useDelivery } from './use-delivery.ts';
import { useToDo } from './use-to-do.ts';
import { useWide } from '../../ui/page/use-phone.ts';
import { useViewing } from './viewers.ts';

const waiting = <Skeleton className="late" height={220} aria-label="Loading" />;
const ReviewMode = part(() => import('../review/review-mode.tsx'), 'ReviewMode');
const ToDoList = part(() => import('./to-do.tsx'), 'ToDoList', waiting);

export function Job() {
  // The stream reports moves. Notes and uploads need polling.
  const query = useRead(useReads(jobReads).job, { refetchInterval: 5_000 });
  return (
    <Loaded
      query={query}
      skeleton={<ColumnsSkeleton left={[220, 430, 300]} right={[110, 318, 140]} />}
      head={<PageHead title="Job" above={<Link to={queuePlace()}>Queue</Link>} />}
    >
      {({ job, events }) => <JobPage key={job.id} job={job} events={events} />}
    </Loaded>
  );
}

function JobPage({ job, events }: { job: DeskJob; events: JobEvent[] }) {
  const [{ review }] = useReviewAddress();
  const take = useTakeNext(undefined, { waits: false });
  const walk = useWalk(job.id);
  const delivery = useDelivery(job, events);
  const toDo = useToDo(job);
  const thread = useRead(useReads(jobReads).thread);
  const [writing, setWriting] = useState(false);
  const wide = useWide();
  const clock = <ClockPanel job={job} messages={thread.data?.messages ?? []} />;
  const sources = job.files.filter(({ uploaded_by: by }) => by === 'customer');
  useViewing(job.id);
  useShortcut('g', 'Back to the queue', useBackToQueue());
  useShortcut('t', 'Take next', take.pending ? null : take.take);
  return (
    <>
      {review !== undefined && <ReviewMode job={job} next={nextFiles(job, delivery.files)} />}
      <JobHead job={job} walk={walk} />
      {!wide && job.waiting_on && <Box mb={16}>{clock}</Box>}
      <div className="columns job-columns">
        <div className="stack">
          {job.reason && <Rejection lead="Rejected. The customer reads:" {...job.reason} />}
          {job.parked && <ParkedNote />}
          {toDo.comments.length > 0 && <ToDoList job={job} toDo={toDo} />}
          <PhoneRow title="Customer’s words" summary={sayFiles(sources.length)}>
            <CustomerWords job={job} asks={toDo.comments.length === 0} />
          </PhoneRow>
          {job.account_note && (
            <PhoneRow title="About the customer" summary="">
              <AccountNotePanel note={job.account_note} />
            </PhoneRow>
          )}
          {job.brand && (
            <PhoneRow title="Brand" summary={sayFiles(job.brand.files.length)}>
              <BrandPanel brand={job.brand} />
            </PhoneRow>
          )}
          <DeliveryPanel job={job} delivery={delivery} />
          <Released job={job} />
          <PhoneRow title="Story" summary={job.waiting_on ? <span className="turn">question open</span> : ''}>
            {thread.data ? (
              <Talk job={job} events={events} thread={thread.data} />
            ) : (
              <Skeleton className="late" height={300} aria-label="Loading" />
            )}
          </PhoneRow>
        </div>
        <aside className="stack" aria-label="Holder, moves, facts and notes">
          {wide && clock}
          <HoldPanel job={job} />
          <MovesPanel job={job} delivery={delivery} toDo={toDo} onMoved={walk.goOn} />
          <Notes job={job} />
          <JobFacts job={job} />
        </aside>
      </div>
      <MoveBar job={job} delivery={delivery} toDo={toDo} onMoved={walk.goOn} onWrite={() => setWriting(true)} />
      {!wide && (
        <Dialog opened={writing} onClose={() => setWriting(false)} fullScreen title={job.customer_title}>
          <MessageField job={job} />
        </Dialog>
      )}
    </>
  );
}

/** The customer's brand kit as it was when the job was ordered. */
const BrandPanel = ({ brand: { facts, files } }: { brand: JobBrand }) => (
  <Panel title="Brand" beside={<span className="second small push">as it was when the job was ordered</span>}>
    <div className="stack">
      <BrandFacts facts={facts} />
      <SmallFiles files={files} />
    </div>
  </Panel>
);

const sayFiles = (count: number) => (count === 0 ? '' : count === 1 ? '1 file' : `${count} files`);

function sayReview({ quality_review: review, other_reviewer: other }: DeskJob): string {
  if (!review) return 'none, goes out at once';
  return other ? 'before the customer, by somebody else than who did it' : 'before the customer';
}

const sayRounds = ({ revisions: { used, included } }: DeskJob) =>
  included === 0 ? 'none included' : `${used} of ${included} rounds used`;

function JobFacts({ job }: { job: DeskJob }) {
  const { service } = useServiceNames();
  const may = useMay();
  const leavesAt = keptUntil(job);
  return (
    <Panel title="Facts">
      <Facts
        facts={[
          ['Customer', job.account && <AccountLink key="account" account={job.account} />],
          ...dueFacts(job),
          ['Service', service(job.service_family, job.service_type)],
          [
            'Plan',
            job.plan_code && (
              <span key="plan" className="capital">
                {job.plan_code}
              </span>
            ),
          ],
          ['Changes', !job.imported_at && sayRounds(job)],
          ['Quality review', !job.imported_at && sayReview(job)],
          ...orderFacts(job),
          ['Files kept until', leavesAt && <Time key="kept" at={leavesAt} as="day" />],
          [
            'Audit log',
            may('read_records') && (
              <Link key="audit" to={pathTo(deskPages.audit, {}, { subject: job.id })}>
                of this job
              </Link>
            ),
          ],
        ]}
      />
    </Panel>
  );
}

/** On a phone a row that opens; elsewhere just what it holds. */
function PhoneRow({ title, summary, children }: { title: string; summary: ReactNode; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  if (useWide()) return children;
  const Mark = open ? IconChevronDown : IconChevronRight;
  return (
    <section className="phone-row" aria-label={title}>
      <UnstyledButton
        className="row"
        w="100%"
        mih={44}
        p="8px 2px"
        fz="inherit"
        style={{ borderTop: '1px solid var(--line)' }}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <strong>{title}</strong> <span className="push second small">{summary}</span>
        <Mark size={16} aria-hidden />
      </UnstyledButton>
      {open && children}
    </section>
  );
}
