import { Box, Button, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { AtelierError, type FinishedJob, type Review } from '../../app/api.ts';
import { IconDownload } from '../../ui/look/icons.ts';
import { failureSentence, notify } from '../../ui/page/page.tsx';
import { dialogPart } from '../../ui/page/part.tsx';
import { ThumbFace } from '../../ui/review/strip.tsx';
import { saveFrom, type ViewFile } from '../../ui/review/view-file.ts';
import { StudioFooter } from '../../ui/shell/studio-footer.tsx';
import { Time } from '../../ui/time/time.tsx';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { guestApi } from './guest-api.ts';
import { Brand } from './guest-entry.tsx';
import { useGuestUrl } from './guest-files.ts';

const LargePreview = dialogPart(() => import('../../ui/preview/large-preview.tsx'), 'LargePreview');

type Download = Promise<{ download: { url: string } }>;
const save = (request: Download) =>
  void request.then(
    ({ download }) => saveFrom(download.url),
    (error: AtelierError) => notify(failureSentence(error)),
  );

/** Finished work by job. Nothing else of a job is part of the link. */
export function GuestShown({ review, finished }: { review: Review; finished: FinishedJob[] }) {
  const [open, setOpen] = useState<ViewFile | null>(null);
  const files = new Map(review.files.map((file) => [file.id, file]));
  return (
    <Box component="main" className="page stack" maw={1000} mx="auto">
      <Brand />
      <header>
        <Box component="h1" fz={20} fw={600}>
          Finished work
        </Box>
        <p className="second">
          <strong className="ink">{review.shared_by.name}</strong> shows it to you.
        </p>
        <p className="small third">
          The link ends on <Time at={review.expires_at} as="day" />. Whoever has it can use it: pass it on with care.
        </p>
      </header>
      {finished.length === 0 && <p>None of these files is kept any more.</p>}
      {finished.map(({ job_id, title, approved_at, file_ids }) => (
        <section key={job_id} className="panel" aria-label={title}>
          <div className="panel-head">
            <h2>{title}</h2>
            <span className="second small">
              approved <Time at={approved_at} as="day" />
            </span>
            <Button
              className="push"
              variant="default"
              size="xs"
              leftSection={<IconDownload size={15} />}
              onClick={() => save(guestApi.createReviewArchive({ body: { job_id } }))}
            >
              All, .zip
            </Button>
          </div>
          <Box component="ul" className="tiles" p={16} style={{ '--tile': '180px' }}>
            {file_ids.flatMap((id) => {
              const file = files.get(id);
              return file ? [<ShownFile key={id} file={file} onOpen={setOpen} />] : [];
            })}
          </Box>
        </section>
      ))}
      {open && <Preview file={open} onClose={() => setOpen(null)} />}
      <StudioFooter />
    </Box>
  );
}

type FileProps = { file: Review['files'][number]; onOpen: (file: ViewFile) => void };

function ShownFile({ file: { name, ...rest }, onOpen }: FileProps) {
  const file: ViewFile = { ...rest, file_name: name, status: 'uploaded', url: null };
  return (
    <li className="poster">
      <button type="button" className="poster-face" onClick={() => onOpen(file)}>
        <ThumbFace file={file} />
        <VisuallyHidden>Open {name}</VisuallyHidden>
      </button>
      <div className="poster-caption">
        <bdi className="one-line">{name}</bdi>
        <button
          type="button"
          className="link-button"
          onClick={() => save(guestApi.downloadReviewFile({ path: { id: file.id } }))}
        >
          <VisuallyHidden>Download {name},</VisuallyHidden> {sayBytes(file.size_bytes)}
        </button>
      </div>
    </li>
  );
}

function Preview({ file, onClose }: { file: ViewFile; onClose: () => void }) {
  const url = useGuestUrl(file.id);
  return url && <LargePreview file={file} url={url} opened onClose={onClose} />;
}
