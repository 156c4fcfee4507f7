import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import { type File as StoredFile, queryClient } from '../../app/api.ts';
import { EndableList } from '../../app/endable-list.tsx';
import { useReadOnlyReason } from '../../app/session/session.tsx';
import { useAcceptedTypes } from '../../app/file-types.ts';
import { PageButton } from '../../ui/form/action-button.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { curl } from '../../ui/page/curl.ts';
import { type Column, Empty, ListFoot } from '../../ui/list/list.tsx';
import { Loaded, PageHead, Panel } from '../../ui/page/page.tsx';
import { usePages, useReads } from '../../app/use-reads.ts';
import { Time } from '../../ui/time/time.tsx';
import { UploadArea } from '../../ui/upload/upload.tsx';
import { useUploads } from '../../ui/upload/uploads.ts';
import { downloadUrl } from './job-story.ts';
import { pageReads } from '../reads.ts';
import { sendFile } from '../ordering/send-file.ts';

export function Files() {
  const readOnly = useReadOnlyReason();
  const acceptedTypes = useAcceptedTypes();
  const files = usePages(useReads(pageReads.files).files);
  const onStored = () => void queryClient.invalidateQueries({ queryKey: ['listFiles'] });
  const queue = useUploads(sendFile, { onStored });
  return (
    <>
      <PageHead
        title="Files"
        below="What you uploaded and what was delivered. Files without a job can be attached to the next one."
      />
      <div className="stack">
        <Panel title="Upload">
          <UploadArea queue={queue} accept={acceptedTypes} reason={readOnly} />
        </Panel>
        <Loaded query={files}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty
                action={<PageButton label="Order a job" variant="default" to={customerPages.newJob} />}
                // Its answer contains the URL for the bytes.
                command={curl({ path: '/api/v1/files/presign', body: exampleFile })}
              >
                No file yet. Drop one above, or attach it to an order.
              </Empty>
            ) : (
              <EndableList label="Files" tight rows={rows} columns={columns} rowKey={({ id }) => id} {...ending}>
                <ListFoot shown={`${rows.length} shown`} more={files.more} loading={files.loadingMore} />
              </EndableList>
            )
          }
        </Loaded>
      </div>
    </>
  );
}

const exampleFile = { purpose: 'job_source', file_name: 'logo.png', content_type: 'image/png', size_bytes: 20_480 };

const stateWords = {
  pending_upload: 'Not uploaded',
  uploaded: '',
  expired: 'Never uploaded',
  deleted: 'No longer kept',
} as const;

const columns: Column<StoredFile>[] = [
  {
    head: 'Name',
    width: '40%',
    cell: ({ id, file_name: name, status, poster }) => (
      <span className="row">
        {poster && <img src={poster} alt="" loading="lazy" className="file-poster" />}
        {status === 'uploaded' ? (
          <a href={downloadUrl(id)} download={name} className="ink">
            {name}
          </a>
        ) : (
          name
        )}
      </span>
    ),
  },
  { head: 'Size', cell: ({ size_bytes: bytes }) => <span className="numbers">{sayBytes(bytes)}</span> },
  { head: 'From', cell: ({ uploaded_by: by }) => (by === 'studio' ? 'The studio' : 'You') },
  {
    head: 'Job',
    cell: ({ job_id: id, status }) =>
      id ? <Link to={pathTo(customerPages.job, { id })}>Open the job</Link> : stateWords[status] || 'none yet',
  },
  { head: 'Added', cell: ({ created_at }) => <Time at={created_at} /> },
];

const ending = {
  end: 'Delete',
  endLabel: ({ file_name: name }: StoredFile) => `Delete ${name}`,
  canEnd: ({ uploaded_by: by, status }: StoredFile) =>
    by === 'customer' && status !== 'deleted' && status !== 'expired',
  ask: ({ id, file_name: name }: StoredFile) => ({
    title: `Delete ${name}?`,
    confirm: 'Delete',
    children:
      'The file is gone at once and cannot be brought back. A file of a job that is under way stays until the job has ended.',
    operation: 'deleteFile' as const,
    input: { path: { id } },
  }),
};
