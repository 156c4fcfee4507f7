import { Box, Button, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { IconChecks, IconColumns, IconDownload, IconMessage } from '../../ui/look/icons.ts';
import type { Delivery, File, Job } from '../../app/api.ts';
import { counted } from '../../ui/job/words.ts';
import { useAddress } from '../../ui/page/address.ts';
import { Poster, posterCaption } from '../../ui/preview/poster.tsx';
import { Linked } from '../../ui/thread/story-entry.tsx';
import { Time } from '../../ui/time/time.tsx';
import type { CommentCounts } from './comment-counts.ts';
import { ZipLink } from './job-brief.tsx';
import { Fold } from './job-fold.tsx';
import { archiveUrl, downloadUrl } from './job-story.ts';

/** The newest delivery at full size, the earlier ones folded. */
export const Deliveries = ({ job, comments }: { job: Job; comments: CommentCounts }) =>
  job.deliveries.toReversed().map((delivery, index) => {
    const {
      round,
      released_at,
      file_ids: { length },
    } = delivery;
    if (index === 0) return <DeliveryPanel key={round} job={job} delivery={delivery} comments={comments} />;
    const summary = (
      <>
        <Time at={released_at} />
        {length > 0 && ` · ${counted(length, 'file')}`}
      </>
    );
    return (
      <Fold key={round} title={`Delivery ${round + 1}`} summary={summary} when="always">
        <DeliveryPanel job={job} delivery={delivery} />
      </Fold>
    );
  });

type PanelProps = { job: Job; delivery: Delivery; comments?: CommentCounts };

function DeliveryPanel({ job, delivery: { round, message, released_at, file_ids }, comments }: PanelProps) {
  const [, setAddress] = useAddress<'review' | 'compare'>();
  // In the order of the studio.
  const files = file_ids.flatMap((id) => job.files.find((file) => file.id === id) ?? []);
  const compare = () => setAddress({ review: files[0]?.id, compare: String(round) }, { replace: false });
  return (
    <section className="panel delivery" aria-label={`Delivery ${round + 1}`}>
      <div className="panel-head">
        <h2>Delivery {round + 1}</h2>
        <span className="second">
          {round > 0 && 'after your changes · '}
          <Time at={released_at} />
        </span>
        {comments?.done && (
          <UnstyledButton
            className={`icon-line underlines ${comments.done.done === comments.done.of ? 'good' : 'second'}`}
            fz={12.5}
            onClick={compare}
          >
            {comments.done.done === comments.done.of && <IconChecks size={15} aria-hidden />} {comments.done.done} of{' '}
            {comments.done.of} done
          </UnstyledButton>
        )}
        <span className="push row" style={{ gap: 4 }}>
          {comments && round > 0 && files[0] && (
            <Button variant="subtle" h={26} px={8} size="xs" leftSection={<IconColumns size={15} />} onClick={compare}>
              Compare with {round}
            </Button>
          )}
          <ZipLink files={files} href={archiveUrl(job.id, round)} label="All" />
        </span>
      </div>
      <div className="panel-body stack">
        {message && (
          <Box component="p" className="prose" fz={files.length === 0 ? 16 : 14} dir="auto">
            <Linked>{message}</Linked>
          </Box>
        )}
        {files.length > 0 && <Posters files={files} comments={comments} />}
      </div>
    </section>
  );
}

/** A delivery of more than `many` files shows only the `first` ones. */
const first = 9;
const many = 12;

/** The first file is shown large. */
function Posters({ files, comments }: { files: File[]; comments: CommentCounts | undefined }) {
  const [all, setAll] = useState(false);
  const shown = all || files.length <= many ? files : files.slice(0, first);
  return (
    <>
      <div className="posters">
        {shown.map((file) => (
          <PosterCard key={file.id} file={file} comments={comments?.onFile(file.id) ?? 0} />
        ))}
      </div>
      {shown.length < files.length && (
        <button type="button" className="text-button" onClick={() => setAll(true)}>
          and {files.length - shown.length} more
        </button>
      )}
    </>
  );
}

function PosterCard({ file, comments }: { file: File; comments: number }) {
  const [, setAddress] = useAddress<'review'>();
  const url = downloadUrl(file.id);
  const there = file.status === 'uploaded';
  return (
    <figure className="poster">
      <button
        type="button"
        className="poster-face"
        disabled={!there}
        onClick={() => setAddress({ review: file.id }, { replace: false })}
      >
        <span aria-hidden>
          <Poster file={file} url={url} />
        </span>
        <VisuallyHidden>Open {file.file_name}</VisuallyHidden>
      </button>
      <figcaption className="poster-caption">
        <bdi className="one-line">{file.file_name}</bdi>
        {comments > 0 && (
          <Box component="span" className="icon-line second" mr="auto" style={{ gap: 4 }}>
            <IconMessage size={14} aria-hidden /> {comments}{' '}
            <VisuallyHidden>{comments === 1 ? 'comment' : 'comments'}</VisuallyHidden>
          </Box>
        )}
        {there ? (
          <a className="icon-line" href={url} download={file.file_name}>
            <VisuallyHidden>Download {file.file_name},</VisuallyHidden> {posterCaption(file)}
            <IconDownload size={14} aria-hidden />
          </a>
        ) : (
          <span className="third">{posterCaption(file)}</span>
        )}
      </figcaption>
    </figure>
  );
}
