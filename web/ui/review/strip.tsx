import { Box, Flex, UnstyledButton } from '@mantine/core';
import {
  IconFile,
  IconFileText,
  IconFileTypePdf,
  IconFileZip,
  IconMusic,
  IconPhoto,
  IconVideo,
} from '../look/icons.ts';
import { createElement, type ReactNode, useEffect, useRef } from 'react';
import { isPicture } from '../../../contract/files/file-types.ts';
import { shown } from '../preview/previewed.ts';
import { KeyHint } from '../shell/shortcuts.tsx';
import { ofFile } from './comments.ts';
import type { Review } from './use-review.ts';
import { type StageKind, stageKindOf, type ViewFile } from './view-file.ts';
import { counted } from '../job/words.ts';

const playing = { video: { play: [' '], 'one frame': [',', '.'] }, audio: { play: [' '], '0.04 s': [',', '.'] } };
const walking = { files: ['ArrowLeft', 'ArrowRight'], comments: ['n', 'p'] };

/** The files of the delivery, with the number of comments on each. */
export function Strip({ review: { files, file, comments, onFile, isReading, canComment } }: { review: Review }) {
  const kind = file && stageKindOf(file);
  const keys = kind === 'video' || kind === 'audio' ? playing[kind] : walking;
  return (
    <Thumbs keys={isReading && (canComment ? { ...keys, comment: ['c'] } : keys)}>
      {files.map((each) => (
        <Thumb
          key={each.id}
          file={each}
          isOpen={each.id === file?.id}
          count={ofFile(comments, each.id).length}
          onOpen={() => onFile(each.id)}
        />
      ))}
    </Thumbs>
  );
}

type ThumbsProps = { keys: Record<string, string[]> | false; children: ReactNode };

/** Beside the thumbnails: the keys that work here, by what they do, and the one that lists them all. */
export const Thumbs = ({ keys, children }: ThumbsProps) => (
  <Flex component="nav" className="strip line-above wide-only" align="center" gap={16} px={16} aria-label="Files">
    <Flex className="thumbs-row" gap={10} align="center" p={6} mx={-6}>
      {children}
    </Flex>
    {keys && (
      <Box component="span" className="strip-keys push small second" flex="none" aria-hidden>
        {Object.entries(keys).map(([words, names]) => [
          names.map((name) => <KeyHint key={words + name}>{name}</KeyHint>),
          ` ${words} `,
        ])}
        <KeyHint>?</KeyHint>
      </Box>
    )}
  </Flex>
);

type ThumbProps = { file: ViewFile; isOpen: boolean; count?: number; onOpen: () => void };

export function Thumb({ file, isOpen, count = 0, onOpen }: ThumbProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isOpen) button.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isOpen]);
  return (
    <UnstyledButton
      ref={button}
      className="thumb second"
      aria-label={[file.file_name, waitsOf(file), count > 0 && counted(count, 'comment')].filter(Boolean).join(', ')}
      aria-current={isOpen || undefined}
      title={file.file_name}
      onClick={onOpen}
    >
      <ThumbFace file={file} />
      {count > 0 && <span className="thumb-count">{count}</span>}
    </UnstyledButton>
  );
}

const icons: Record<Exclude<StageKind, 'other'>, typeof IconFile> = {
  image: IconPhoto,
  pdf: IconFileTypePdf,
  video: IconVideo,
  audio: IconMusic,
  text: IconFileText,
  gone: IconFile,
};

function otherIcon({ content_type: type }: ViewFile) {
  if (isPicture(type)) return IconPhoto;
  return /zip|compressed/.test(type) ? IconFileZip : IconFile;
}

function pictureOf(file: ViewFile): string | null {
  const kind = stageKindOf(file);
  const isSmall = kind === 'image' && file.size_bytes <= shown.image;
  return kind === 'gone' ? null : (file.poster ?? (isSmall ? file.url : null));
}

const waitsOf = (file: ViewFile) => file.poster_status === 'pending' && pictureOf(file) === null && 'drawing';

export function ThumbFace({ file }: { file: ViewFile }) {
  const kind = stageKindOf(file);
  const picture = pictureOf(file);
  if (picture) return <Box component="img" className="contain" src={picture} alt="" loading="lazy" bdrs={4} />;
  const icon = kind === 'other' ? otherIcon(file) : icons[kind];
  return (
    <Flex component="span" direction="column" align="center" fz={11}>
      {createElement(icon, { size: 20, stroke: 1.4, 'aria-hidden': true })}
      {waitsOf(file)}
    </Flex>
  );
}
