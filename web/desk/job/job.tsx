import { Link } from '@tanstack/react-router';
import { deskPages } from '../../../contract/pages.ts';
import type { DeskJob, JobEvent } from '../../app/api.ts';
import { pathTo } from '../../ui/page/address.ts';
import { Identifier } from '../../ui/page/code.tsx';
import { Facts, Loaded, PageHead, Panel } from '../../ui/page/page.tsx';
import { ColumnsSkeleton } from '../../ui/list/skeletons.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { Rejection } from '../../ui/job/rejection.tsx';
import { Status } from '../../ui/job/status.tsx';
import { Time } from '../../ui/time/time.tsx';
import { creatorWords, sourceWords } from '../../ui/job/words.ts';
import { CustomerWords } from './customer-words.tsx';
import { Delivery } from './delivery.tsx';
import { dueFact } from '../queue/due.tsx';
import { JobHistory } from './job-history.tsx';
import { HoldPanel } from './hold-panel.tsx';
import { JobMoves } from './job-moves.tsx';
import { jobReads } from './job.reads.ts';
import { queuePlace, useBackToQueue } from '../queue/queue-place.ts';
import { useTakeNext } from '../queue/take-next.ts';
import { Notes } from './notes.tsx';
import { ParkedNote } from './parked-note.tsx';
import { Holder } from './person.tsx';
import { Released } from './released.tsx';

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
  const next = useTakeNext(undefined, { waits: false });
  useShortcut('g', 'Back to the queue', useBackToQueue());
  useShortcut('t', 'Take next', next.pending ? null : next.take);
  return (
    <>
      <PageHead
        title={job.customer_title}
        documentTitle="Job"
        above={
          <span className="row" style={{ gap: 4 }}>
            <Link to={queuePlace()}>Queue</Link> / <Identifier id={job.id} />
          </span>
        }
        beside={
          <span role="status">
            <Status status={job.status} side="desk" />
          </span>
        }
        actions={<JobMoves job={job} />}
      />
      <div className="columns">
        <div className="stack">
          {job.reason && <Rejection lead="Rejected. The customer reads:" {...job.reason} />}
          {job.parked && <ParkedNote />}
          <CustomerWords job={job} />
          <Delivery job={job} events={events} />
          <Released job={job} />
          <JobHistory job={job} events={events} />
        </div>
        <aside className="stack" aria-label="Holder, facts and notes">
          <HoldPanel job={job} />
          <JobFacts job={job} />
          <Notes job={job} />
        </aside>
      </div>
    </>
  );
}

function JobFacts({ job }: { job: DeskJob }) {
  const { service } = useServiceNames();
  const { used, included } = job.revisions;
  return (
    <Panel title="Facts">
      <Facts
        facts={[
          [
            'Customer',
            job.account && (
              <Link key="account" to={pathTo(deskPages.account, { id: job.account.id })}>
                {job.account.name}
              </Link>
            ),
          ],
          ['Holder', job.holder && <Holder key="holder" job={job} />],
          dueFact(job),
          ['Service', service(job.service_family, job.service_type)],
          [
            'Plan',
            <span key="plan" className="capital">
              {job.plan_code}
            </span>,
          ],
          ['Changes', included === 0 ? 'none included' : `${used} of ${included} rounds used`],
          ['Quality review', job.quality_review ? 'before the customer' : 'none, goes out at once'],
          ['Ordered by', creatorWords(job)],
          ['Ordered', <Time key="ordered" at={job.created_at} as="moment" />],
          ['Customer’s reference', job.reference],
          ['Through', sourceWords[job.source]],
          [
            'Audit log',
            <Link key="audit" to={pathTo(deskPages.audit, {}, { subject: job.id })}>
              of this job
            </Link>,
          ],
        ]}
      />
    </Panel>
  );
}
