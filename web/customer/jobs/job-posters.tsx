import { VisuallyHidden } from '@mantine/core';
import { IconDownload, IconMessage } from '../../ui/look/icons.ts';
import { useState } from 'react';
import type { File } from '../../app/api.ts';
import { useAddress } from '../../ui/page/address.ts';
import { Poster, posterCaption } from '../../ui/preview/poster.tsx';
import { downloadUrl } from './job-story.ts';

/** How many of a large delivery stand on the page, and from how many on. */
const first = 9;
const many = 12;

type Props = { files: File[]; commentsOn?: (fileId: string) => number };

/** The files of a delivery in the order of the studio, the first one large. */
export function Posters({ files, commentsOn }: Props) {
  const [all, setAll] = useState(false);
  const shown = all || files.length <= many ? files : files.slice(0, first);
  return (
    <>
      <div className="posters">
        {shown.map((file) => (
          <PosterCard key={file.id} file={file} comments={commentsOn?.(file.id) ?? 0} />
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
          <span className="poster-comments">
            <IconMessage size={14} aria-hidden /> {comments}{' '}
            <VisuallyHidden>{comments === 1 ? 'comment' : 'comments'}</VisuallyHidden>
          </span>
        )}
        {there ? (
          <a href={url} download={file.file_name}>
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
