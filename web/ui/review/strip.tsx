import {
  IconFile,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconMusic,
  IconPhoto,
  IconVideo,
} from '../look/icons.ts';
import { useEffect, useRef } from 'react';
import { KeyHint } from '../shell/shortcuts.tsx';
import { ofFile, sayCount } from './comments.ts';
import type { Review } from './use-review.ts';
import { type StageKind, stageKindOf, type ViewFile } from './view-file.ts';

/** The files of the delivery, with the number of comments on each. */
export function Strip({ review: { files, file, comments, onFile, isReading, canComment } }: { review: Review }) {
  const kind = file && stageKindOf(file);
  return (
    <nav className="strip" aria-label="Files">
      <div className="thumbs-row">
        {files.map((each) => (
          <Thumb
            key={each.id}
            file={each}
            isOpen={each.id === file?.id}
            count={ofFile(comments, each.id).length}
            onOpen={() => onFile(each.id)}
          />
        ))}
      </div>
      {isReading && (
        <span className="strip-keys wide-only" aria-hidden>
          {kind === 'video' || kind === 'audio' ? (
            <>
              <KeyHint> </KeyHint> play <KeyHint>,</KeyHint>
              <KeyHint>.</KeyHint> a frame
            </>
          ) : (
            <>
              <KeyHint>ArrowLeft</KeyHint>
              <KeyHint>ArrowRight</KeyHint> files <KeyHint>n</KeyHint>
              <KeyHint>p</KeyHint> comments
            </>
          )}{' '}
          {canComment && (
            <>
              <KeyHint>c</KeyHint> comment{' '}
            </>
          )}
          <KeyHint>?</KeyHint>
        </span>
      )}
    </nav>
  );
}

type ThumbProps = { file: ViewFile; isOpen: boolean; count: number; onOpen: () => void };

export function Thumb({ file, isOpen, count, onOpen }: ThumbProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isOpen]);
  return (
    <button
      ref={button}
      type="button"
      className="thumb"
      aria-label={count > 0 ? `${file.file_name}, ${sayCount(count, 'comment')}` : file.file_name}
      aria-current={isOpen || undefined}
      title={file.file_name}
      onClick={onOpen}
    >
      <ThumbFace file={file} />
      {count > 0 && <span className="thumb-count">{count}</span>}
    </button>
  );
}

const icons: Record<StageKind, typeof IconFile> = {
  image: IconPhoto,
  pdf: IconFileTypePdf,
  video: IconVideo,
  audio: IconMusic,
  text: IconFileText,
  other: IconFileZip,
  gone: IconFile,
};

export function ThumbFace({ file }: { file: ViewFile }) {
  const kind = stageKindOf(file);
  const picture = kind === 'gone' ? null : (file.poster ?? (kind === 'image' ? file.url : null));
  if (picture) return <img src={picture} alt="" loading="lazy" />;
  const Icon = icons[kind];
  return <Icon size={20} stroke={1.4} aria-hidden />;
}
