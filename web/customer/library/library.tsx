import { Box, Button, Skeleton, VisuallyHidden } from '@mantine/core';
import { useEventListener } from '@mantine/hooks';
import { useState } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import { type LibraryJob, useOperation } from '../../app/api.ts';
import { useOrders } from '../../app/session/session.tsx';
import { usePages, useRead, useReads } from '../../app/use-reads.ts';
import { PageButton } from '../../ui/form/action-button.tsx';
import { Empty, ListFoot } from '../../ui/list/list.tsx';
import { IconClock, IconDownload, IconLink } from '../../ui/look/icons.ts';
import { useAddress } from '../../ui/page/address.ts';
import { Failure, failureSentence, Loaded, notify, PageHead } from '../../ui/page/page.tsx';
import { dialogPart, part } from '../../ui/page/part.tsx';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { saveFrom } from '../../ui/review/view-file.ts';
import { pageReads } from '../reads.ts';
import { Filters } from './library-filters.tsx';
import { filtersOf, isFiltered, type LibraryAddress, viewOf } from './library.reads.ts';
import { savingOf, Tile } from './library-tile.tsx';
import { walkTiles } from './walk-tiles.ts';
import './library.css';
import { readPages } from '../../app/reads.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { counted } from '../../ui/job/words.ts';
import { sayBytes } from '../../ui/upload/bytes.ts';

const UnfoldedJob = part(
  () => import('./unfolded-job.tsx'),
  'UnfoldedJob',
  <Skeleton h={260} className="library-unfolded" />,
);
const Mine = part(() => import('./mine.tsx'), 'Mine');
const LinkToShow = dialogPart(() => import('./link-to-show.tsx'), 'LinkToShow');

const viewWords = {
  all: 'What you sent, and what the studio delivered',
  approved: 'What the studio finished for you',
  mine: 'What you sent to the studio',
  studio: 'What the studio delivered',
};

/** A job alone, or what the filters leave. */
type Shown = { job: LibraryJob } | 'filter';

export function Library() {
  const [search] = useAddress<LibraryAddress>();
  const view = viewOf(search);
  const reads = useReads(pageReads.library);
  const counts = useRead(reads.counts);
  const jobs = usePages(reads.jobs);
  const [shown, setShown] = useState<Shown | null>(null);
  const zip = useZip();
  const orders = useOrders();
  const approved = counts.data?.counts.approved ?? 0;
  return (
    <>
      <PageHead title="Library" below={`${viewWords[view]}, newest first`}>
        {approved > 0 && (
          <Box className="library-do row at-thumb">
            {orders && (
              <Button variant="default" leftSection={<IconLink size={16} />} onClick={() => setShown('filter')}>
                Link to show
              </Button>
            )}
            <Button
              variant="default"
              leftSection={<IconDownload size={16} />}
              loading={zip.isPending}
              onClick={() => zip.save(filtersOf(search))}
            >
              {isFiltered(search) ? 'Approved, as filtered, .zip' : 'All approved, .zip'}
            </Button>
          </Box>
        )}
      </PageHead>
      <Filters counts={counts.data} members={useRead(reads.members).data?.members ?? []} />
      <Leaving count={counts.data?.leaving ?? 0} onSave={() => zip.save({ leaving: true })} />
      {view === 'mine' && <Mine />}
      <Tiles jobs={jobs} onLink={orders ? (job) => setShown({ job }) : null} />
      {zip.dialog}
      <LinkToShow
        opened={shown !== null}
        only={shown !== null && shown !== 'filter' ? shown.job : null}
        jobs={(jobs.data ?? []).filter(({ approved_at: at }) => at !== null)}
        onClose={() => setShown(null)}
      />
    </>
  );
}

/** Its line is reserved, so that the tiles stay where they are. */
const Leaving = ({ count, onSave }: { count: number; onSave: () => void }) => (
  <Box component="p" className="icon-line turn" display="flex" mih={22} mt={4} mb={8}>
    {count > 0 && (
      <>
        <IconClock size={15} aria-hidden />
        <span>
          {count === 1 ? '1 job leaves' : `${count} jobs leave`} within a week.{' '}
          <button type="button" className="text-button" onClick={onSave}>
            Download {count === 1 ? 'it' : 'them'}
          </button>
        </span>
      </>
    )}
  </Box>
);

type TilesProps = { jobs: ReturnType<typeof usePages<'listLibrary'>>; onLink: ((job: LibraryJob) => void) | null };

/** Walked by arrows; `d` saves what is focused. */
function Tiles({ jobs: { data: rows, ...jobs }, onLink }: TilesProps) {
  const [unfolded, setUnfolded] = useState<string | null>(null);
  const tiles = useEventListener<'keydown', HTMLDivElement>('keydown', walkTiles);
  useShortcut('d', 'Download', () => saveFocused(rows ?? []), 'Download');
  if (jobs.error && !rows) return <Failure error={jobs.error} retry={() => void jobs.refetch()} />;
  if (rows?.length === 0) return <Nothing />;
  return (
    <>
      <div ref={tiles} className="tiles library-tiles" aria-busy={!rows}>
        {rows?.map((job) =>
          job.job_id === unfolded ? (
            <UnfoldedJob
              key={job.job_id}
              job={job}
              onFold={() => setUnfolded(null)}
              onLink={onLink && (() => onLink(job))}
            />
          ) : (
            <Tile
              key={job.job_id}
              job={job}
              onUnfold={() => setUnfolded(job.job_id)}
              onLink={onLink && (() => onLink(job))}
            />
          ),
        ) ??
          Array.from({ length: 6 }, (_, tile) => (
            <div key={tile} className="library-tile late">
              <Skeleton className="library-face" />
              <Skeleton h={14} w="60%" mt={10} />
              <Skeleton h={36} w="80%" mt={8} />
            </div>
          ))}
      </div>
      {rows && <ListFoot shown={`${rows.length} shown`} more={jobs.more} loading={jobs.loadingMore} keys={false} />}
    </>
  );
}

function saveFocused(rows: readonly LibraryJob[]): void {
  const tile = document.activeElement?.closest('.library-tile')?.querySelector<HTMLElement>('[data-tile]');
  const job = rows.find(({ job_id: id }) => id === tile?.dataset['tile']);
  if (job && job.file_count > 0) saveFrom(savingOf(job));
}

function Nothing() {
  const [search, setAddress] = useAddress<LibraryAddress>();
  const clear = { family: '', type: '', brand: '', person: '', from: '', to: '', q: '', leaving: '' };
  if (isFiltered(search))
    return (
      <Empty
        action={
          <Button variant="default" onClick={() => setAddress(clear)}>
            Clear
          </Button>
        }
      >
        No job or file like this.
      </Empty>
    );
  if (viewOf(search) === 'mine') return null;
  return (
    <Empty action={<PageButton label="See your jobs" variant="default" to={customerPages.jobs} />}>
      {viewOf(search) === 'approved'
        ? 'Nothing is approved yet. What you approve comes here.'
        : 'Nothing is delivered yet. What the studio delivers comes here.'}
    </Empty>
  );
}

type Chosen = Partial<ReturnType<typeof filtersOf>>;

/** Saves what the filters leave as one zip. If that is too much, it says so and offers each job by itself. */
function useZip() {
  const [tooMuch, setTooMuch] = useState<{ why: string; of: Chosen } | null>(null);
  const archive = useOperation('createLibraryArchive');
  const save = (of: Chosen) =>
    archive.mutate(
      { body: of },
      {
        onSuccess: ({ download, files, size_bytes: bytes }) => {
          notify(`${counted(files, 'file')}, ${sayBytes(bytes)}`);
          saveFrom(download.url);
        },
        onError: (error) =>
          error.code === 'limit_reached' ? setTooMuch({ why: error.message, of }) : notify(failureSentence(error)),
      },
    );
  const dialog = tooMuch && <JobByJob {...tooMuch} onClose={() => setTooMuch(null)} />;
  return { save, isPending: archive.isPending, dialog };
}

function JobByJob({ why, of, onClose }: { why: string; of: Chosen; onClose: () => void }) {
  const jobs = usePages(readPages('listLibrary', { query: { limit: 100, ...of } }));
  return (
    <Dialog opened onClose={onClose} title="Too much for one zip" size={560}>
      <div className="stack">
        <p className="second">{why} Take them job by job:</p>
        <Loaded query={jobs} height={200}>
          {(rows) => (
            <ul>
              {rows.map((job) => (
                <JobLine key={job.job_id} job={job} />
              ))}
            </ul>
          )}
        </Loaded>
        {jobs.more && <ListFoot shown={`${jobs.data?.length} shown`} more={jobs.more} loading={jobs.loadingMore} />}
      </div>
    </Dialog>
  );
}

const JobLine = ({ job }: { job: LibraryJob }) =>
  job.file_count > 0 && (
    <li className="row between line-below" style={{ paddingBlock: 8 }}>
      <span className="breaks">{job.customer_title}</span>
      <a href={savingOf(job)} download>
        <VisuallyHidden>Download {job.customer_title},</VisuallyHidden> {sayBytes(job.size_bytes)}
      </a>
    </li>
  );
