import { Box, Button, Flex, TextInput, VisuallyHidden } from '@mantine/core';
import { IconLock } from '../look/icons.ts';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { KeyHint, useShortcut } from '../shell/shortcuts.tsx';
import { circle, CommentFoot, CommentItem, PlaceLine } from './comment-item.tsx';
import { elsewhere, type ReviewComment, type Talk } from './comments.ts';
import { sayPlace } from './place-words.ts';
import { ListHead, PhoneSheet } from './phone-sheet.tsx';
import { pointingWords } from './stage.tsx';
import type { Review } from './use-review.ts';
import { stageKindOf, type ViewFile } from './view-file.ts';
import { Textarea } from '../form/fields.tsx';
import { middle } from './place.ts';
import { counted } from '../job/words.ts';

export type ListProps = {
  review: Review;
  state: ReactNode;
  readers: string;
  phoneActions: ReactNode;
  /** Instead of the comments, if they could not be read. */
  failure?: ReactNode;
  /** Where nobody has commented. */
  none?: string;
  onKeep?: () => void;
  onRemove?: (id: string) => void;
  onRetry?: (id: string) => void;
  talk?: Talk;
  /** Whether the comments are still being read. */
  isLoading?: boolean;
};

/** The comments on the open file, where others are, and the way to write one. */
export function CommentList({
  review,
  state,
  readers,
  phoneActions,
  failure,
  none,
  onKeep,
  isLoading,
  ...on
}: ListProps) {
  const { comments, own, file, writing, canComment, isReading } = review;
  const list = useFocusAfter(writing !== null);
  const here = own.length === comments.length || own.length === 0 ? '' : `${own.length} here, `;
  const field = writing && (
    <li key={writing.id ?? 'new'}>
      <CommentField review={review} onKeep={() => onKeep?.()} />
    </li>
  );
  return (
    <PhoneSheet count={counted(comments.length, 'comment')} state={state} foot={phoneActions} isWriting={!isReading}>
      <ListHead title="Comments" count={`${here}${comments.length} in this round`}>
        <span className="push small second icon-line">{state}</span>
      </ListHead>
      <div className="list-body">
        <ol ref={list} tabIndex={-1} aria-label="Comments on this file">
          {own.map((comment) =>
            comment.id === writing?.id ? field : <CommentItem key={comment.id} {...{ comment, review, ...on }} />,
          )}
          {writing?.id === null && field}
        </ol>
        {failure ?? <Others review={review} none={none} />}
        <Unfinished review={review} />
      </div>
      <News comments={isLoading ? null : comments} />
      <Flex className="review-foot line-above" direction="column" gap={10}>
        {canComment && isReading && (
          // Looks like the field that it opens.
          <TextInput
            placeholder="Comment without a place"
            aria-label="Comment without a place"
            readOnly
            value=""
            onClick={review.begin}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' && event.key !== ' ') return;
              event.preventDefault();
              review.begin();
            }}
            rightSection={<KeyHint>c</KeyHint>}
          />
        )}
        <Flex component="p" className="wide-only small second" gap={8}>
          <IconLock size={14} aria-hidden />
          {[readers, canComment && file && pointingWords[stageKindOf(file)]].filter(Boolean).join(' ')}
        </Flex>
      </Flex>
    </PhoneSheet>
  );
}

function Others({ review, none = 'Nobody has commented yet.' }: { review: Review; none: string | undefined }) {
  const { files, comments, file, onFile, own } = review;
  const others = elsewhere(files, comments, file?.id ?? '');
  const nowhere = `Nobody has commented on the other ${files.length === 2 ? 'file' : 'files'}.`;
  const words = own.length === 0 ? comments.length === 0 && none : files.length > 1 && nowhere;
  if (others.length === 0) return words && <p className="list-note small second">{words}</p>;
  return others.map(({ file: other, count }) => (
    <OnFile key={other.id} file={other} onFile={onFile} words={`${count} ${own.length > 0 ? 'more ' : ''}on `} />
  ));
}

function Unfinished({ review: { files, elsewhere: writing, onFile } }: { review: Review }) {
  const file = files.find(({ id }) => id === writing?.fileId);
  return file && <OnFile file={file} onFile={onFile} words="You are writing a comment on " />;
}

const OnFile = ({ file, onFile, words }: Pick<Review, 'onFile'> & { file: ViewFile; words: string }) => (
  <p className="list-note small second">
    {words}
    <button type="button" className="text-button" onClick={() => onFile(file.id)}>
      {file.file_name}
    </button>
  </p>
);

/** Where the focus goes once a comment is kept or discarded: its field is gone then. */
function useFocusAfter(isWriting: boolean) {
  const list = useRef<HTMLOListElement>(null);
  const wasWriting = useRef(isWriting);
  useEffect(() => {
    if (wasWriting.current && !isWriting && document.activeElement === document.body)
      list.current?.focus({ preventScroll: true });
    wasWriting.current = isWriting;
  }, [isWriting]);
  return list;
}

/** Reads out what others write while the review is open: not what was there before. */
function News({ comments }: { comments: ReviewComment[] | null }) {
  const seen = useRef<Set<string> | null>(null);
  const said = (comments ?? []).flatMap(({ id, number, author, place, text, replies }) => [
    { id, author, words: `${author} added comment ${number}, ${sayPlace(place)}: ${text}` },
    ...replies.map((reply) => ({ ...reply, words: `${reply.author} replied to comment ${number}: ${reply.text}` })),
  ]);
  const fresh = said.filter(({ id, author }) => seen.current && !seen.current.has(id) && author !== 'You');
  useEffect(() => {
    if (comments) seen.current = new Set(said.map(({ id }) => id));
  });
  return (
    <VisuallyHidden component="p" aria-live="polite">
      {fresh.map(({ words }) => words).join(' ')}
    </VisuallyHidden>
  );
}

/** The comment being written, in the list at its number. */
function CommentField({ review, onKeep }: { review: Review; onKeep: () => void }) {
  const { writing, number, file, setText, discard, place } = review;
  const field = useRef<HTMLTextAreaElement>(null);
  const keepButton = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const isEmpty = (writing?.text ?? '').trim() === '';
  // Also while the pin has the focus.
  useShortcut('mod+Enter', 'Keep the comment', isEmpty ? null : onKeep);
  if (!writing || !file) return null;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isEmpty) {
      event.preventDefault();
      onKeep();
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      if (isEmpty) discard();
      else keepButton.current?.focus();
    }
  };
  const kind = stageKindOf(file);
  const canPoint = kind === 'image' || kind === 'pdf' || kind === 'video';
  const point = () => {
    // In the middle, for the arrow keys to move.
    place({ ...writing.place, ...(kind === 'pdf' && { page: writing.place?.page ?? 1 }), box: middle });
    // The pin appears with the next frame.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.pin.draft')?.focus());
  };
  return (
    <div className="comment line-below selected">
      <Box component="span" {...circle} className="number" aria-hidden>
        {number}
      </Box>
      <Box flex={1} miw={0} fz={13}>
        <strong>You</strong>
        <Textarea
          ref={field}
          mt={4}
          aria-label={`Comment ${number}`}
          minRows={2}
          maxRows={8}
          maxLength={2_000}
          value={writing.text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <CommentFoot>
          {writing.place ? (
            <PlaceLine place={writing.place} file={file} isWritten />
          ) : (
            <span className="small second">the whole file</span>
          )}
          {canPoint && !writing.place?.box && (
            <Button variant="subtle" size="xs" h={28} px={8} onClick={point}>
              Point at a place
            </Button>
          )}
          <Buttons ref={keepButton} isEmpty={isEmpty} onDiscard={discard} onKeep={onKeep} />
        </CommentFoot>
      </Box>
    </div>
  );
}

type KeepProps = {
  ref: React.Ref<HTMLButtonElement>;
  isEmpty: boolean;
  onDiscard: () => void;
  onKeep: () => void;
};

const Buttons = ({ ref, isEmpty, onDiscard, onKeep }: KeepProps) => (
  <span className="push row">
    <Button variant="subtle" size="xs" h={28} px={8} onClick={onDiscard}>
      Discard
    </Button>
    <Button
      variant="default"
      size="xs"
      h={28}
      px={10}
      ref={ref}
      disabled={isEmpty}
      onClick={onKeep}
      rightSection={<KeyHint>mod+Enter</KeyHint>}
    >
      Keep
    </Button>
  </span>
);
