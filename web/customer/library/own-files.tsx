import type { File as StoredFile } from '../../app/api.ts';
import { EndableList } from '../../app/endable-list.tsx';
import { readPages } from '../../app/reads.ts';
import { useOrders } from '../../app/session/session.tsx';
import { usePages } from '../../app/use-reads.ts';
import { type Column, ListFoot } from '../../ui/list/list.tsx';
import { Loaded } from '../../ui/page/page.tsx';
import { FileFace } from '../../ui/thread/story-files.tsx';
import { Time } from '../../ui/time/time.tsx';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { downloadUrl } from '../jobs/job-story.ts';
import { unattachedRead } from './library.reads.ts';

/** Uploads of the account that still are there: of a job, or of none. */
export function OwnFiles({ jobId }: { jobId: string | null }) {
  const orders = useOrders();
  const files = usePages(
    jobId === null ? unattachedRead : readPages('listFiles', { query: { limit: 100, job_id: jobId } }),
  );
  const label = jobId === null ? 'Files without a job' : 'Your files of this job';
  return (
    <Loaded query={files} height={58}>
      {(rows) => {
        const own = rows.filter(({ uploaded_by: by, status }) => by === 'customer' && isThere(status));
        if (own.length === 0) return null;
        return (
          <EndableList
            label={label}
            tight
            rows={own}
            columns={columns}
            rowKey={({ id }) => id}
            canEnd={() => orders}
            {...ending}
          >
            {files.more && <ListFoot shown={`${own.length} shown`} more={files.more} loading={files.loadingMore} />}
          </EndableList>
        );
      }}
    </Loaded>
  );
}

const isThere = (status: StoredFile['status']) => status === 'uploaded' || status === 'pending_upload';

const columns: Column<StoredFile>[] = [
  {
    head: 'Name',
    width: '50%',
    cell: ({ id, file_name: name, status, ...file }) => (
      <span className="row">
        <FileFace
          file={{ file_name: name, ...file }}
          url={status === 'uploaded' ? (file.poster ?? downloadUrl(id)) : null}
        />
        {status === 'uploaded' ? (
          <a href={downloadUrl(id)} download={name} className="ink">
            {name}
          </a>
        ) : (
          `${name}, not uploaded`
        )}
      </span>
    ),
  },
  { head: 'Size', cell: ({ size_bytes: bytes }) => <span className="numbers">{sayBytes(bytes)}</span> },
  { head: 'Added', cell: ({ created_at }) => <Time at={created_at} /> },
];

const ending = {
  end: 'Delete',
  endLabel: ({ file_name: name }: StoredFile) => `Delete ${name}`,
  ask: ({ id, file_name: name }: StoredFile) => ({
    title: `Delete ${name}?`,
    confirm: 'Delete',
    children:
      'The file is gone at once and cannot be brought back. A file of a job that is under way stays until the job has ended.',
    operation: 'deleteFile' as const,
    input: { path: { id } },
  }),
};
