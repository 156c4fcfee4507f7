import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { deskPages } from '../../contract/pages.ts';
import { type DeskJob, type JobEvent, operationQuery } from '../api.ts';
import { pathTo } from '../ui/address.ts';
import { Identifier } from '../ui/code.tsx';
import { Facts, Loaded, PageHead, Panel } from '../ui/page.tsx';
import { FileCard } from '../ui/preview.tsx';
import { useServiceNames } from '../ui/service-names.ts';
import { useShortcut } from '../ui/shortcuts.tsx';
import { Status } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { Timeline, type TimelineEntry } from '../ui/timeline.tsx';
import { sourceWords } from '../ui/words.ts';
import { CustomerWords } from './customer-words.tsx';
import { Delivery } from './delivery.tsx';
import { Due } from './due.tsx';
import { HoldPanel } from './hold-panel.tsx';
import { JobMoves } from './job-moves.tsx';
import { useTakeNext } from './moves.ts';
import { Notes } from './notes.tsx';
import { Holder } from './person.tsx';
import { deskFileUrl } from './send-deliverable.ts';
import { deskEventWords } from './words.ts';

/** The page of whoever works on a job: what the customer said first, then the delivery, and beside it who holds it. */
export function Job() {
  const { id = '' } = useParams({ strict: false });
  const query = useQuery(operationQuery('readDeskJob', { path: { id } }));
  return (
    <Loaded query={query} height={480}>
      {({ job, events }) => <JobPage key={job.id} job={job} events={events} />}
    </Loaded>
  );
}

function JobPage({ job, events }: { job: DeskJob; events: JobEvent[] }) {
  const navigate = useNavigate();
  const next = useTakeNext(undefined);
  useShortcut('g', 'Back to the queue', () => void navigate({ to: deskPages.queue }));
  useShortcut('t', 'Take next', next.pending ? null : next.take);
  return (
    <>
      <PageHead
        title={job.customer_title}
        documentTitle="Job"
        above={
          <span className="row" style={{ gap: 4 }}>
            <Link to={deskPages.queue}>Queue</Link> / <Identifier id={job.id} />
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
          {job.reason && (
            <div className="note bad">
              <strong>Rejected.</strong> The customer reads: {job.reason.message}
            </div>
          )}
          <CustomerWords job={job} />
          <Delivery job={job} />
          <Released job={job} />
          <Panel title="What happened">
            <Timeline entries={timelineOf(job, events)} />
          </Panel>
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
          ['Holder', <Holder key="holder" holder={job.holder} />],
          ['Due', <Due key="due" job={job} />],
          ['Service', service(job.service_family, job.service_type)],
          [
            'Plan',
            <span key="plan" className="capital">
              {job.entitlement_code}
            </span>,
          ],
          ['Changes', included === 0 ? 'none included' : `${used} of ${included} rounds used`],
          ['Quality review', job.quality_review ? 'before the customer' : 'none, goes out at once'],
          ['Ordered by', job.created_by.name],
          ['Ordered', <Time key="ordered" at={job.created_at} as="moment" />],
          ['Through', sourceWords[job.source]],
        ]}
      />
    </Panel>
  );
}

/** What the customer has been given, round by round, the newest first. */
function Released({ job }: { job: DeskJob }) {
  const rounds = Map.groupBy(
    job.files.filter(({ released_at: at }) => at !== null),
    ({ round }) => round ?? 0,
  );
  return [...rounds]
    .toSorted(([a], [b]) => b - a)
    .map(([round, files]) => (
      <Panel
        key={round}
        title={`Delivery ${round + 1}`}
        beside={
          <span className="second">
            with the customer since <Time at={files[0]?.released_at ?? job.updated_at} as="moment" />
          </span>
        }
      >
        <div className="small-files">
          {files.map((file) => (
            <FileCard key={file.id} file={file} url={deskFileUrl(file.id)} />
          ))}
        </div>
      </Panel>
    ));
}

/** Newest first; files that came or went with a move are told by the move. */
function timelineOf(job: DeskJob, events: JobEvent[]): TimelineEntry[] {
  let round = 0;
  return events
    .filter(({ type }) => type !== 'job.deliverable_added')
    .map(({ id, type, actor, created_at: at }): TimelineEntry => {
      if (type === 'job.revision_requested') round += 1;
      const title =
        type === 'job.revision_requested' ? `${deskEventWords[type]}, round ${round}` : deskEventWords[type];
      const detail = type === 'job.rejected' ? job.reason?.message : actor === 'worker' ? 'by a worker' : undefined;
      return {
        id,
        title,
        at,
        detail,
        tone: actor === 'customer' ? 'you' : type === 'job.rejected' ? 'bad' : undefined,
      };
    })
    .toReversed();
}
