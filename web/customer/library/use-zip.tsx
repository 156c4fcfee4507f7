import { VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { type LibraryJob, useOperation } from '../../app/api.ts';
import { readPages } from '../../app/reads.ts';
import { usePages } from '../../app/use-reads.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { counted } from '../../ui/job/words.ts';
import { ListFoot } from '../../ui/list/list.tsx';
import { failureSentence, Loaded, notify } from '../../ui/page/page.tsx';
import { saveFrom } from '../../ui/review/view-file.ts';
import { sayBytes } from '../../ui/upload/bytes.ts';
import type { filtersOf } from './library.reads.ts';
import { savingOf } from './library-tile.tsx';

type Chosen = Partial<ReturnType<typeof filtersOf>>;

/** Saves what the filters leave as one zip. If that is too much, it says so and offers each job by itself. */
export function useZip() {
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
