import { Box, Button, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { customerPages } from '../../../contract/pages.ts';
import type { Delivery, File, LibraryJob } from '../../app/api.ts';
import { read } from '../../app/reads.ts';
import { useRead } from '../../app/use-reads.ts';
import { counted } from '../../ui/job/words.ts';
import { IconChevronUp, IconDownload, IconLink } from '../../ui/look/icons.ts';
import { sayRetention } from '../../ui/job/retention.ts';
import { pathTo } from '../../ui/page/address.ts';
import { Loaded } from '../../ui/page/page.tsx';
import { Poster, posterCaption } from '../../ui/preview/poster.tsx';
import { Time } from '../../ui/time/time.tsx';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { downloadUrl } from '../jobs/job-story.ts';
import { KeepLonger } from './keep-longer.tsx';
import { KeptLine, savingOf, TileLine } from './library-tile.tsx';
import { OwnFiles } from './own-files.tsx';

type Props = { job: LibraryJob; onFold: () => void; onLink: (() => void) | null };

/** In the place of its tile, over the whole row. */
export function UnfoldedJob({ job, onFold, onLink }: Props) {
  const fold = useRef<HTMLButtonElement>(null);
  useEffect(() => fold.current?.focus({ preventScroll: true }), []);
  const small = { variant: 'subtle', size: 'xs', h: 28, px: 8 } as const;
  const all = `${job.file_count === 1 ? '1 file' : `All ${job.file_count}`}, ${sayBytes(job.size_bytes)}`;
  return (
    <section className="panel library-unfolded" aria-label={`Files of ${job.customer_title}`}>
      <div className="panel-head">
        <h2>{job.customer_title}</h2>
        <TileLine job={job} />
        <KeptLine job={job} />
        {sayRetention(job)?.isSoon ? null : (
          <span className="small">
            <KeepLonger job={job} />
          </span>
        )}
        <span className="push row" style={{ gap: 4 }}>
          <Button {...small} component="a" href={savingOf(job)} download leftSection={<IconDownload size={15} />}>
            {all}
          </Button>
          {onLink && job.approved_at && (
            <Button {...small} leftSection={<IconLink size={15} />} onClick={onLink}>
              Link
            </Button>
          )}
          <Button {...small} component={Link} to={pathTo(customerPages.job, { id: job.job_id })}>
            Open the job
          </Button>
          <Button ref={fold} {...small} aria-expanded leftSection={<IconChevronUp size={15} />} onClick={onFold}>
            Fold
          </Button>
        </span>
      </div>
      {job.round === null ? <OwnFiles jobId={job.job_id} /> : <DeliveriesOf job={job} />}
    </section>
  );
}

function DeliveriesOf({ job: { job_id: id, round } }: { job: LibraryJob }) {
  const query = useRead(read('readJob', { path: { id } }));
  return (
    <Loaded query={query} height={190}>
      {({ job: { deliveries, files } }) =>
        deliveries.toReversed().map((delivery) => {
          const own = delivery.file_ids.flatMap((fileId) => files.find((file) => file.id === fileId) ?? []);
          if (delivery.round === round) return <FileGrid key={delivery.round} jobId={id} files={own} />;
          return <Earlier key={delivery.round} jobId={id} delivery={delivery} files={own} />;
        })
      }
    </Loaded>
  );
}

const Earlier = ({ jobId, delivery, files }: { jobId: string; delivery: Delivery; files: File[] }) => (
  <Box component="details" className="library-earlier line-above" px={16} py={10}>
    <summary>
      <strong>Delivery {delivery.round + 1}</strong>{' '}
      <span className="second">
        <Time at={delivery.released_at} as="day" /> · {counted(files.length, 'file')}, not approved
      </span>
    </summary>
    <FileGrid jobId={jobId} files={files} />
  </Box>
);

/** Each opens the viewer at that file. */
const FileGrid = ({ jobId, files }: { jobId: string; files: File[] }) => (
  <Box component="ul" className="tiles library-files" p={16} style={{ '--tile': '150px' }}>
    {files.map((file) => (
      <li key={file.id} className="poster">
        <Link className="poster-face" to={pathTo(customerPages.job, { id: jobId }, { review: file.id })}>
          <span aria-hidden>
            <Poster file={file} url={downloadUrl(file.id)} />
          </span>
          <VisuallyHidden>Open {file.file_name}</VisuallyHidden>
        </Link>
        <div className="poster-caption">
          <bdi className="one-line">{file.file_name}</bdi>
          {file.status === 'uploaded' ? (
            <a className="icon-line" href={downloadUrl(file.id)} download={file.file_name}>
              <VisuallyHidden>Download {file.file_name},</VisuallyHidden> {posterCaption(file)}
            </a>
          ) : (
            <span className="third">{posterCaption(file)}</span>
          )}
        </div>
      </li>
    ))}
  </Box>
);
