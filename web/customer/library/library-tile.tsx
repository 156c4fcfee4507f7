import { ActionIcon, Box, Flex, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { customerPages } from '../../../contract/pages.ts';
import type { LibraryJob } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { counted, statusWords } from '../../ui/job/words.ts';
import { IconChevronDown, IconDownload, IconExternalLink, IconLink } from '../../ui/look/icons.ts';
import { sayRetention } from '../../ui/job/retention.ts';
import { pathTo } from '../../ui/page/address.ts';
import { Poster } from '../../ui/preview/poster.tsx';
import { Time } from '../../ui/time/time.tsx';
import { archiveUrl, downloadUrl } from '../jobs/job-story.ts';
import { KeepLonger } from './keep-longer.tsx';

/** The viewer at the delivery, or the page of a job whose files are uploads or no longer kept. */
export const viewerOf = ({ job_id: id, round, files: [first] }: LibraryJob): string =>
  pathTo(customerPages.job, { id }, round !== null && first ? { review: first.id } : {});

/** One file by itself, more as one zip. */
export const savingOf = ({ job_id, round, file_count, files: [first] }: LibraryJob): string =>
  file_count === 1 && first ? downloadUrl(first.id) : archiveUrl(job_id, round ?? undefined);

type Props = { job: LibraryJob; onUnfold: () => void; onLink: (() => void) | null };

export function Tile({ job, onUnfold, onLink }: Props) {
  const earlier = job.earlier_deliveries;
  const unfolds = earlier > 0 ? `${earlier} earlier ${earlier === 1 ? 'delivery' : 'deliveries'}` : 'Files';
  return (
    <article className="library-tile reveals" aria-label={job.customer_title}>
      <Link to={viewerOf(job)} className="library-face" data-tile={job.job_id}>
        <Faces job={job} />
        <VisuallyHidden>Open {job.customer_title}</VisuallyHidden>
      </Link>
      <TileActions job={job} onLink={onLink} />
      <Box component="h2" className="one-line" mt={10} fz={14}>
        {job.customer_title}
      </Box>
      <TileLine job={job} />
      <Flex justify="space-between" gap={10} mih={20}>
        <KeptLine job={job} />
        {job.file_count > 0 && (
          <UnstyledButton className="icon-line second" fz={12.5} aria-expanded={false} onClick={onUnfold}>
            {unfolds} <IconChevronDown size={13} aria-hidden />
          </UnstyledButton>
        )}
      </Flex>
    </article>
  );
}

/** The main file large and two beside it. Nothing is left of a job whose files have gone. */
function Faces({ job: { files, file_count } }: { job: LibraryJob }) {
  const more = file_count - files.length;
  return (
    <>
      {files.map((file) => (
        <span key={file.id} className="poster-face" aria-hidden>
          <Poster file={{ ...file, status: 'uploaded' }} url={downloadUrl(file.id)} />
        </span>
      ))}
      {more > 0 && (
        <span className="poster-mark" aria-hidden>
          + {more}
        </span>
      )}
    </>
  );
}

function TileActions({ job, onLink }: Pick<Props, 'job' | 'onLink'>) {
  const look = { variant: 'default', size: 30 } as const;
  const title = job.customer_title;
  return (
    <Flex component="span" className="revealed" pos="absolute" top={10} right={10} gap={6}>
      {job.file_count > 0 && (
        <Tooltip label="Download">
          <ActionIcon {...look} component="a" href={savingOf(job)} download aria-label={`Download ${title}`}>
            <IconDownload size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      {onLink && job.approved_at && job.file_count > 0 && (
        <Tooltip label="Link to show">
          <ActionIcon {...look} onClick={onLink} aria-label={`Link to show ${title}`}>
            <IconLink size={16} />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label="Open the job">
        <ActionIcon
          {...look}
          component={Link}
          to={pathTo(customerPages.job, { id: job.job_id })}
          aria-label={`Open the job ${title}`}
        >
          <IconExternalLink size={16} />
        </ActionIcon>
      </Tooltip>
    </Flex>
  );
}

export function TileLine({ job }: { job: LibraryJob }) {
  const { optionName } = useServiceNames();
  const {
    service_family: family,
    service_type: type,
    file_count,
    approved_at,
    imported_at,
    status,
    round,
    brand_name,
  } = job;
  return (
    <p className="small second">
      {optionName(family, type)} · {counted(file_count, round === null ? 'own file' : 'file')} ·{' '}
      {approved_at ? (
        <>
          {imported_at ? 'Imported, completed' : 'approved'} <Time at={approved_at} as="day" />
        </>
      ) : (
        statusWords[status]
      )}
      {brand_name && ` · ${brand_name}`}
    </p>
  );
}

export function KeptLine({ job }: { job: LibraryJob }) {
  const retention = sayRetention(job);
  return (
    <span className={retention?.isSoon ? 'small turn' : 'small second'}>
      {retention?.words}
      {retention?.isSoon && <KeepLonger job={job} />}
    </span>
  );
}
