import { Box } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { IconPlus } from '../../ui/look/icons.ts';
import { customerPages } from '../../../contract/pages.ts';
import type { JobStatus } from '../../../contract/moves.ts';
import type { ListRead } from '../../app/reads.ts';
import { listInterval } from './live-job.ts';
import { useSession } from '../../app/session/session.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { curl } from '../../ui/page/curl.ts';
import { Empty } from '../../ui/list/empty.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { List, ListFoot } from '../../ui/list/list.tsx';
import { useSteadyRows } from '../../ui/list/use-steady-rows.ts';
import { PageHead } from '../../ui/page/page.tsx';
import { usePages } from '../../app/use-pages.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { Drafts } from '../ordering/drafts.tsx';
import { columns } from './job-columns.tsx';
import { Filters, Search } from './job-filters.tsx';
import { jobsReads } from './jobs.reads.ts';
import { useUnread, useYourTurn } from '../turn.ts';

export function Jobs() {
  const navigate = useNavigate();
  const { view } = useSession();
  const all = useRead(useReads(jobsReads).all);
  const yours = useYourTurn();
  const some = all.data === undefined || Object.values(all.data.counts).some((count) => count > 0);
  return (
    <>
      <PageHead
        title="Jobs"
        below={all.data && some && summary(all.data.counts, yours ?? all.data.counts.ready_for_customer_review)}
        actions={
          <>
            {some && <Search />}
            {!view && (
              <ActionButton
                variant={some ? 'filled' : 'default'}
                icon={<IconPlus size={16} />}
                onClick={() => void navigate({ to: customerPages.newJob })}
              >
                New job
              </ActionButton>
            )}
          </>
        }
      />
      {!view && <Drafts />}
      {some && <Filters />}
      <JobRows />
    </>
  );
}

const isFiltered = ({ input: { query } }: ListRead<'listJobs'>) =>
  Object.keys({ ...query }).some((name) => name !== 'limit');

/** A job with a question needs the customer, though the studio has it. */
function summary(counts: Record<JobStatus, number>, yours: number): string {
  const questions = yours - counts.ready_for_customer_review;
  const under = counts.queued + counts.accepted + counts.running + counts.needs_review - questions;
  return `${yours === 1 ? '1 needs you' : `${yours} need you`} · ${under} with the studio`;
}

function JobRows() {
  const read = useReads(jobsReads).jobs;
  const jobs = usePages(read, { interval: listInterval });
  const { rows, newer, showNewer } = useSteadyJobs(jobs, JSON.stringify(read.input));
  const { service } = useServiceNames();
  const unread = useUnread();
  if (jobs.error && !jobs.data) return <Failure error={jobs.error} retry={() => void jobs.refetch()} />;
  if (jobs.data?.length === 0) return isFiltered(read) ? <NoneLikeThis /> : <NoJobs />;
  return (
    <>
      {newer > 0 && (
        // Above the rows, which stay where they are.
        <Box pos="sticky" top={8} h={0} ta="center" style={{ zIndex: 2 }}>
          <button type="button" className="chip" onClick={showNewer}>
            {newer} new
          </button>
        </Box>
      )}
      <List
        label="Jobs"
        rows={rows}
        columns={columns(service, unread.of)}
        rowKey={({ id }) => id}
        href={({ id }) => pathTo(customerPages.job, { id })}
      />
      {rows && <ListFoot shown={`${rows.length} shown`} more={jobs.more} loading={jobs.loadingMore} />}
    </>
  );
}

/** New rows wait behind "3 new", so that nothing moves under the cursor. */
function useSteadyJobs({ data, isPlaceholderData, pages }: ReturnType<typeof usePages<'listJobs'>>, scope: string) {
  const { rows, waiting, adopt } = useSteadyRows(isPlaceholderData ? undefined : data, `${scope} ${pages}`, true);
  return {
    rows: rows?.filter(({ gone }) => !gone).map(({ row }) => row) ?? data,
    newer: waiting,
    showNewer: adopt,
  };
}

function NoneLikeThis() {
  const navigate = useNavigate();
  return (
    <Empty
      action={
        <ActionButton variant="default" onClick={() => void navigate({ to: customerPages.jobs })}>
          Show all jobs
        </ActionButton>
      }
    >
      No job matches.
    </Empty>
  );
}

function NoJobs() {
  const navigate = useNavigate();
  if (useSession().view) return <Empty>Nothing is ordered yet.</Empty>;
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
