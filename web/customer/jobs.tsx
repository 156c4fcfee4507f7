import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { customerPages } from '../../contract/pages.ts';
import { isEnded, type JobStatus } from '../../contract/moves.ts';
import { type JobListItem, operationQuery } from '../api.ts';
import { listInterval } from '../live.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { pathTo, useAddress } from '../ui/address.ts';
import { curl } from '../ui/curl.ts';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { type Column, List, ListFoot } from '../ui/list.tsx';
import { PageHead } from '../ui/page.tsx';
import { Status } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { rejectionWords } from '../ui/words.ts';
import { catalogQuery, useServiceNames } from './catalog-names.ts';

/** The chips above the list, and the statuses behind each. */
const groups: { id: string; label: string; statuses: JobStatus[] }[] = [
  { id: 'yours', label: 'Needs you', statuses: ['ready_for_customer_review'] },
  { id: 'queued', label: 'Queued', statuses: ['queued'] },
  { id: 'under_way', label: 'Under way', statuses: ['accepted', 'running', 'needs_review'] },
  { id: 'completed', label: 'Completed', statuses: ['completed'] },
  { id: 'rejected', label: 'Rejected', statuses: ['rejected'] },
  { id: 'canceled', label: 'Canceled', statuses: ['canceled'] },
];

type Filter = 'status' | 'family' | 'q';

export function Jobs() {
  const navigate = useNavigate();
  return (
    <>
      <PageHead
        title="Jobs"
        actions={
          <ActionButton icon={<IconPlus size={16} />} onClick={() => void navigate({ to: customerPages.newJob })}>
            New job
          </ActionButton>
        }
      />
      <Filters />
      <JobRows />
    </>
  );
}

function Filters() {
  const [{ status, family }, setAddress] = useAddress<Filter>();
  const catalog = useQuery(catalogQuery);
  const families = catalog.data?.service_families.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  return (
    <div className="chips">
      <button type="button" className="chip" aria-pressed={!status} onClick={() => setAddress({ status: undefined })}>
        All
      </button>
      {groups.map(({ id, label }) => (
        <button
          key={id}
          type="button"
          className="chip"
          aria-pressed={status === id}
          onClick={() => setAddress({ status: id })}
        >
          {label}
        </button>
      ))}
      <Select
        className="push"
        size="xs"
        w={170}
        aria-label="Service"
        data={[{ value: '', label: 'Any service' }, ...families]}
        value={family ?? ''}
        onChange={(value) => setAddress({ family: value ?? undefined })}
      />
    </div>
  );
}

function JobRows() {
  const [{ status, family }, setAddress] = useAddress<Filter>();
  const [limit, setLimit] = useState(25);
  const statuses = groups.find(({ id }) => id === status)?.statuses;
  const jobs = useQuery({
    ...operationQuery('listJobs', {
      query: { limit, ...(statuses ? { status: statuses } : {}), ...(family ? { service_family: family } : {}) },
    }),
    refetchInterval: ({ state }) => listInterval(state.data?.jobs),
  });
  const { service } = useServiceNames();
  if (jobs.error && !jobs.data) return <Failure error={jobs.error} retry={() => void jobs.refetch()} />;
  if (jobs.data?.jobs.length === 0)
    return status || family ? (
      <Empty
        action={
          <ActionButton variant="default" onClick={() => setAddress({ status: undefined, family: undefined })}>
            Show all jobs
          </ActionButton>
        }
      >
        No job is like this.
      </Empty>
    ) : (
      <NoJobs />
    );
  const more = jobs.data?.next_cursor && limit < 100 ? () => setLimit(limit + 25) : undefined;
  return (
    <>
      <List
        label="Jobs"
        rows={jobs.data?.jobs}
        columns={columns(service)}
        rowKey={({ id }) => id}
        href={({ id }) => pathTo(customerPages.job, { id })}
      />
      {jobs.data && <ListFoot shown={`${jobs.data.jobs.length} shown`} more={more} />}
    </>
  );
}

const columns = (service: (family: string, type: string) => string): Column<JobListItem>[] => [
  {
    head: 'Job',
    width: '42%',
    cell: ({ customer_title, service_family, service_type }) => (
      <>
        {customer_title}
        <span className="cell-second">{service(service_family, service_type)}</span>
      </>
    ),
  },
  { head: 'State', width: '20%', cell: ({ status }) => <Status status={status} /> },
  { head: 'Next', cell: (job) => <Next job={job} /> },
  { head: 'Changed', end: true, cell: ({ status_changed_at }) => <Time at={status_changed_at} /> },
];

/** What comes next, and when. */
export function Next({ job }: { job: JobListItem }) {
  if (job.review_due_at)
    return (
      <>
        Review by <Time at={job.review_due_at} as="moment" />
      </>
    );
  if (job.reason) return rejectionWords[job.reason.code] ?? job.reason.message;
  if (job.due_at && !isEnded(job.status))
    return (
      <>
        Due <Time at={job.due_at} />
      </>
    );
  return null;
}

function NoJobs() {
  const navigate = useNavigate();
  const body = {
    service_family: 'design',
    service_type: 'logo',
    customer_title: 'Logo for a neighbourhood bakery',
    customer_instructions: 'Brand name: Rise Bakery',
  };
  return (
    <Empty
      action={
        <ActionButton onClick={() => void navigate({ to: customerPages.newJob })}>Order your first job</ActionButton>
      }
      command={curl({ path: '/api/v1/jobs', body, idempotencyKey: 'first-job' })}
    >
      Nothing is ordered yet. Choose a service, say what you need, and follow the work here.
    </Empty>
  );
}
