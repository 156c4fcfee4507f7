import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { IconRotate } from '@tabler/icons-react';
import { customerPages } from '../../../contract/pages.ts';
import type { Job as JobData, JobEvent } from '../../app/api.ts';
import { catalogRead } from '../../app/reads.ts';
import { useLiveJob } from './live-job.ts';
import { useSession } from '../../app/session/session.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Identifier } from '../../ui/page/code.tsx';
import { Facts, Loaded, PageHead, Panel } from '../../ui/page/page.tsx';
import { ColumnsSkeleton } from '../../ui/list/skeletons.tsx';
import { FileCard } from '../../ui/preview/preview.tsx';
import { Rejection } from '../../ui/job/rejection.tsx';
import { Status } from '../../ui/job/status.tsx';
import { Time } from '../../ui/time/time.tsx';
import { Timeline } from '../../ui/time/timeline.tsx';
import { creatorWords, sourceWords } from '../../ui/job/words.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { Deliveries, downloadUrl } from './deliveries.tsx';
import { readInstructions } from '../../ui/job/instructions.ts';
import { JobMoves } from './job-moves.tsx';
import { jobReads } from './job.reads.ts';
import { timelineOf } from './timeline.ts';

export function Job() {
  const query = useLiveJob(useReads(jobReads).job);
  return (
    <Loaded
      query={query}
      skeleton={<ColumnsSkeleton left={[280, 50, 340]} right={[186, 226, 200]} />}
      head={<PageHead title="Job" above={<Link to={customerPages.jobs}>Jobs</Link>} />}
    >
      {({ job, events }) => <JobPage job={job} events={events} />}
    </Loaded>
  );
}

function JobPage({ job, events }: { job: JobData; events: JobEvent[] }) {
  const { service } = useServiceNames();
  const { user } = useSession();
  return (
    <>
      <PageHead
        title={job.customer_title}
        above={
          <>
            <Link to={customerPages.jobs}>Jobs</Link> / {service(job.service_family, job.service_type)}
          </>
        }
        beside={
          <>
            <span role="status">
              <Status status={job.status} />
            </span>
            <Button
              component={Link}
              to={pathTo(customerPages.newJob, {}, { from: job.id })}
              variant="subtle"
              className="push"
              leftSection={<IconRotate size={16} />}
            >
              Order again
            </Button>
          </>
        }
        below={<Identifier id={job.id} />}
      />
      <div className="columns">
        <div className="stack">
          {job.reason && <Rejection {...job.reason} />}
          <Deliveries job={job} />
          <Panel title="What happened">
            <Timeline
              entries={timelineOf(job, events, user.id).map(({ waits, ...entry }) =>
                waits ? { ...entry, detail: <UntilWhen job={job} /> } : entry,
              )}
            />
          </Panel>
        </div>
        <aside className="stack">
          <JobMoves job={job} submitted={events.some(({ type }) => type === 'job.submitted')} />
          <JobFacts job={job} />
          <Brief job={job} />
          <SourceFiles job={job} />
        </aside>
      </div>
    </>
  );
}

const UntilWhen = ({ job: { review_due_at: at } }: { job: JobData }) =>
  at && (
    <>
      Approved automatically on <Time at={at} as="moment" /> if you do nothing.
    </>
  );

function JobFacts({ job }: { job: JobData }) {
  const { used, included } = job.revisions;
  return (
    <Panel title="Facts">
      <Facts
        facts={[
          ['Ordered by', creatorWords(job)],
          ['Ordered', <Time key="ordered" at={job.created_at} as="moment" />],
          ['Your reference', job.reference],
          ['Through', sourceWords[job.source]],
          [
            'Plan',
            <span key="plan" className="capital">
              {job.plan_code}
            </span>,
          ],
          ['First delivery due', job.due_at && <Time key="due" at={job.due_at} as="moment" />],
          ['Review by', job.review_due_at && <Time key="review" at={job.review_due_at} as="moment" />],
          ['Rounds of changes', included === 0 ? 'none included' : `${used} of ${included} used`],
        ]}
      />
    </Panel>
  );
}

function Brief({ job }: { job: JobData }) {
  const { data } = useRead(catalogRead);
  const family = data?.service_families.find(({ id }) => id === job.service_family);
  const { answers, words } = readInstructions(family?.intake_requirements ?? [], job.customer_instructions);
  return (
    <Panel title="Brief">
      {Object.keys(answers).length > 0 && (
        <dl className="answers">
          {Object.entries(answers).map(([label, answer]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{answer}</dd>
            </div>
          ))}
        </dl>
      )}
      {words && <p className="prose answers-words">{words}</p>}
    </Panel>
  );
}

function SourceFiles({ job }: { job: JobData }) {
  const own = job.files.filter(({ uploaded_by }) => uploaded_by === 'customer');
  if (own.length === 0) return null;
  return (
    <Panel title="Your files">
      <div className="stack-small">
        {own.map((file) => (
          <FileCard key={file.id} file={file} url={downloadUrl(file.id)} />
        ))}
      </div>
    </Panel>
  );
}
