import { Box, Select } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { IconPlus } from '../../ui/look/icons.ts';
import { customerPages } from '../../../contract/pages.ts';
import { type JobStatus, jobStatuses } from '../../../contract/moves.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { listInterval } from './live-job.ts';
import { useOrders } from '../../app/session/session.tsx';
import { PageButton } from '../../ui/form/action-button.tsx';
import { curl } from '../../ui/page/curl.ts';
import { Empty, ListFoot } from '../../ui/list/list.tsx';
import { Failure, PageHead } from '../../ui/page/page.tsx';
import { useSteadyRows } from '../../ui/list/use-steady-rows.ts';
import { usePages, useRead, useReads } from '../../app/use-reads.ts';
import { Drafts } from '../ordering/drafts.tsx';
import { draftsRead } from '../ordering/new-job.reads.ts';
import { JobList } from './job-list.tsx';
import { drafts, groups, jobsReads, notCanceled, questions } from './jobs.reads.ts';
import { waitingRead } from '../frame.reads.ts';
import { BetweenDays } from '../../ui/form/between-days.tsx';
import { inView } from '../../ui/list/in-view.ts';
import { SearchField } from '../../ui/list/search-field.tsx';
import { pathTo, useAddress } from '../../ui/page/address.ts';
import { useYourTurn } from '../turn.ts';

export function Jobs() {
  const orders = useOrders();
  const [{ status }] = useAddress<Filter>();
  const all = useRead(useReads(jobsReads).all);
  const yours = useYourTurn();
  const some = all.data === undefined || Object.values(all.data.counts).some((count) => count > 0);
  return (
    <>
      <PageHead
        title="Jobs"
        // The line is there from the first paint on, so that nothing below it moves.
        below={
          all.data && some ? summary(all.data.counts, yours ?? all.data.counts.ready_for_customer_review) : '\u00a0'
        }
      >
        {some && <Search />}
        {orders && (
          <PageButton
            label="New job"
            variant={some ? 'filled' : 'default'}
            icon={<IconPlus size={16} />}
            to={customerPages.newJob}
          />
        )}
      </PageHead>
      {some && <Filters />}
      {status === drafts && orders ? <OpenDrafts /> : <JobRows isNew={all.data && !some} />}
    </>
  );
}

const OpenDrafts = () => (usePages(draftsRead).data?.length === 0 ? <Empty>No draft is open.</Empty> : <Drafts />);

/** A job with a question needs the customer, though the studio has it. */
function summary(counts: Record<JobStatus, number>, yours: number): string {
  const answers = yours - counts.ready_for_customer_review;
  const under = counts.queued + counts.accepted + counts.running + counts.needs_review - answers;
  return `${yours === 1 ? '1 needs you' : `${yours} need you`} · ${under} with the studio`;
}

function JobRows({ isNew }: { isNew: boolean | undefined }) {
  const [address] = useAddress<Filter>();
  const read = useReads(jobsReads).jobs;
  const jobs = usePages(read, { interval: listInterval });
  const scope = `${JSON.stringify(read.input)} ${jobs.pages}`;
  // New rows wait behind "3 new", so that nothing moves under the cursor.
  const steady = useSteadyRows(jobs.isPlaceholderData ? undefined : jobs.data, scope, true);
  const rows = steady.rows?.filter(({ gone }) => !gone).map(({ row }) => row) ?? jobs.data;
  if (jobs.error && !jobs.data) return <Failure error={jobs.error} retry={() => void jobs.refetch()} />;
  if (isNew) return <NoJobs />;
  const isEmpty = jobs.data?.length === 0;
  if (isEmpty && isNew !== undefined) return <NoneLikeThis isAll={Object.keys(address).length === 0} />;
  return (
    <>
      {steady.waiting > 0 && (
        // Above the rows, which stay where they are.
        <Box pos="sticky" top={8} h={0} ta="center" style={{ zIndex: 2 }}>
          <button type="button" className="chip" onClick={steady.adopt}>
            {steady.waiting} new
          </button>
        </Box>
      )}
      <JobList label="Jobs" rows={isEmpty ? undefined : rows} />
      {rows && <ListFoot shown={`${rows.length} shown`} more={jobs.more} loading={jobs.loadingMore} />}
    </>
  );
}

/** The list of all jobs leaves out canceled ones. */
const NoneLikeThis = ({ isAll }: { isAll: boolean }) =>
  isAll ? (
    <Empty action={<PageButton label="Show canceled jobs" variant="default" to={canceledJobs} />}>
      All your jobs are canceled.
    </Empty>
  ) : (
    <Empty action={<PageButton label="Show all jobs" variant="default" to={customerPages.jobs} />}>
      No job matches.
    </Empty>
  );

const canceledJobs = pathTo(customerPages.jobs, {}, { status: 'canceled' });

function NoJobs() {
  if (!useOrders()) return <Empty>Nothing is ordered yet.</Empty>;
  const body = {
    service_family: 'design',
    service_type: 'logo',
    customer_title: 'Logo for a neighbourhood bakery',
    customer_instructions: 'Brand name: Rise Bakery',
  };
  return (
    <>
      <Empty
        action={<PageButton label="Order your first job" to={customerPages.newJob} />}
        command={curl({ path: '/api/v1/jobs', body, idempotencyKey: 'first-job' })}
      >
        Nothing is ordered yet. Choose a service, say what you need, and follow the work here.
      </Empty>
      <Drafts />
    </>
  );
}

type Filter = 'status' | 'family' | 'q' | 'from' | 'to';

function Search() {
  const [{ q }, setAddress] = useAddress<Filter>();
  return <SearchField main label="Find a job" value={q} onFind={(text) => setAddress({ q: text })} />;
}

function Filters() {
  const [{ status, family, q, from, to }, setAddress] = useAddress<Filter>();
  const open = usePages(draftsRead, { enabled: useOrders() });
  const { everyFamily } = useServiceNames();
  const { data } = useRead(useReads(jobsReads).counts, { refetchInterval: 10_000, placeholderData: keepPreviousData });
  const countOf = (statuses: readonly JobStatus[]) =>
    data && statuses.reduce((sum, status) => sum + data.counts[status], 0);
  const waiting = Object.values(useRead(waitingRead).data?.counts ?? {}).reduce((sum, count) => sum + count, 0);
  const chips = [
    { id: undefined, label: 'All', count: countOf(q ? jobStatuses : notCanceled) },
    ...groups.map(({ id, label, statuses }) => ({ id, label, count: countOf(statuses) })),
    ...(waiting > 0 || status === questions ? [{ id: questions, label: 'Questions for you', count: waiting }] : []),
    ...(open.data?.length || status === drafts
      ? [{ id: drafts, label: 'Drafts', count: `${open.data?.length ?? ''}${open.more ? '+' : ''}` }]
      : []),
  ];
  const families = everyFamily.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <div className="chips">
      {chips.map(({ id, label, count }) => (
        <button
          key={label}
          ref={id !== undefined && status === id ? inView : undefined}
          type="button"
          className="chip"
          aria-pressed={status === id}
          onClick={() => setAddress({ status: id })}
        >
          {label} <span className="count numbers">{count ?? '\u2007'}</span>
        </button>
      ))}
      <span className="push row">
        <BetweenDays verb="Ordered" none="Any time" from={from} to={to} onChange={setAddress} />
        <Select
          size="xs"
          w={150}
          aria-label="Service"
          data={[{ value: '', label: 'Any service' }, ...families]}
          value={family ?? ''}
          onChange={(value) => setAddress({ family: value || undefined })}
        />
      </span>
    </div>
  );
}
