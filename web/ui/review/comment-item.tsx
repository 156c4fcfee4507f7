import { ActionIcon, Box, Button, Flex, UnstyledButton } from '@mantine/core';
import {
  IconArrowBackUp,
  IconCheck,
  IconClock,
  IconFile,
  IconListNumbers,
  IconMapPin,
  IconPencil,
  IconRectangle,
  IconTrash,
} from '../look/icons.ts';
import { type ReactNode, useEffect, useRef } from 'react';
import { useFilmIndex } from '../preview/film.ts';
import { notify } from '../page/page.tsx';
import { Time } from '../time/time.tsx';
import type { ReviewComment, Talk } from './comments.ts';
import type { Place } from './place.ts';
import { sayPlace, sayPlaceShortly } from './place-words.ts';
import { Author, Replies, replyField } from './replies.tsx';
import type { Review } from './use-review.ts';
import type { ViewFile } from './view-file.ts';

type Props = {
  comment: ReviewComment;
  review: Review;
  talk?: Talk | undefined;
  onRemove?: (id: string) => void;
  onRetry?: (id: string) => void;
};

export function CommentItem({ comment, review, talk, onRemove, onRetry }: Props) {
  const { file, selected, select } = review;
  const { id, number, author, isGuest, text, createdAt, place, answer, settledBy } = comment;
  const isSelected = id === selected;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return (
    <li ref={item} className={isSelected ? 'comment line-below selected' : 'comment line-below'}>
      <UnstyledButton
        {...circle}
        className="number covers"
        onClick={() => select(id)}
        aria-pressed={isSelected}
        aria-label={`${number}: ${sayPlace(place) || 'the whole file'}`}
      >
        {number}
      </UnstyledButton>
      <Box flex={1} miw={0}>
        <Flex align="center" gap={8} fz={13}>
          <Author author={author} isGuest={isGuest} />
          <span className="push small second">{comment.unsaved ? '' : <Time at={createdAt} />}</span>
        </Flex>
        <Box component="p" className={settledBy === null ? 'prose' : 'prose second'} fz={13.5} dir="auto">
          {text}
        </Box>
        {settledBy !== null && (
          <p className="small good icon-line">
            <IconCheck size={14} aria-hidden /> Settled by {settledBy}, not sent
          </p>
        )}
        {answer && <Answer {...answer} />}
        <Replies comment={comment} talk={talk} />
        <CommentFoot>
          <PlaceLine place={place} file={file} />
          {comment.unsaved ? (
            <Unsaved comment={comment} onRetry={onRetry} onRemove={onRemove} />
          ) : (
            <Actions {...{ comment, review, talk, onRemove }} />
          )}
        </CommentFoot>
      </Box>
    </li>
  );
}

function Unsaved({ comment: { id, unsaved }, onRetry, onRemove }: Pick<Props, 'comment' | 'onRetry' | 'onRemove'>) {
  if (unsaved === 'sending') return <span className="push small second">saving</span>;
  const isLost = unsaved === 'lost';
  return (
    <span className="push row above">
      <span className="small bad">{isLost ? 'Never saved: its review has ended.' : 'Not saved.'}</span>
      <Button variant="default" size="xs" h={28} onClick={() => (isLost ? onRemove?.(id) : onRetry?.(id))}>
        {isLost ? 'Discard' : 'Try again'}
      </Button>
    </span>
  );
}

function Actions({ comment, review, talk, onRemove }: Pick<Props, 'comment' | 'review' | 'talk' | 'onRemove'>) {
  const { id, number, canEdit, canRemove, isOpen, settledBy } = comment;
  const replies = isOpen && talk;
  const isReplying = talk?.replying?.id === id;
  const replyButton = useRef<HTMLButtonElement>(null);
  const wasReplying = useRef(isReplying);
  useEffect(() => {
    // The field of the reply is gone.
    if (wasReplying.current && !isReplying && document.activeElement === document.body) replyButton.current?.focus();
    wasReplying.current = isReplying;
  }, [isReplying]);
  const begin = () => {
    const { replying } = talk ?? {};
    const begun = replying?.text.trim() ? review.comments.find((each) => each.id === replying.id && each.isOpen) : null;
    if (!begun) return talk?.setReplying({ id, text: '' });
    // One reply is written at a time: the words that were begun come first.
    review.select(begun.id);
    requestAnimationFrame(() => document.getElementById(replyField)?.focus());
    if (begun.id !== id) notify(`You are writing a reply to comment ${begun.number}. Send or discard it first.`);
  };
  if (!replies && !canEdit && !canRemove) return null;
  return (
    <span className="push comment-actions above">
      {replies && (
        <ActionIcon ref={replyButton} onClick={begin} aria-label={`Reply to comment ${number}`}>
          <IconArrowBackUp size={15} />
        </ActionIcon>
      )}
      {replies && talk.onSettle && (
        <ActionIcon
          onClick={() => talk.onSettle?.(id, settledBy === null)}
          aria-pressed={settledBy !== null}
          aria-label={`Settle comment ${number}, so that it is not sent`}
          className={settledBy === null ? '' : 'good'}
        >
          <IconCheck size={15} />
        </ActionIcon>
      )}
      {canEdit && (
        <ActionIcon onClick={() => review.edit(comment)} aria-label={`Change comment ${number}`}>
          <IconPencil size={15} />
        </ActionIcon>
      )}
      {canRemove && (
        <ActionIcon onClick={() => onRemove?.(id)} aria-label={`Delete comment ${number}`}>
          <IconTrash size={15} />
        </ActionIcon>
      )}
    </span>
  );
}

/** Around the number of a comment. */
export const circle = { w: 24, h: 24, fz: 12 };

export const CommentFoot = ({ children }: { children: ReactNode }) => (
  <Flex className="comment-foot" align="center" wrap="wrap" gap={6} mih={28}>
    {children}
  </Flex>
);

/** What became of a change, in the studio's words. */
export const Answer = ({ isDone, note }: { isDone: boolean; note: string | null }) => (
  <Box component="p" className="asked-answer breaks second" my={4} pl={10} fz={13}>
    <strong className="ink">{isDone ? 'Done.' : 'Not done.'}</strong> <span dir="auto">{note}</span>
  </Box>
);

type PlaceProps = { place: Place | null; file: ViewFile | undefined; isWritten?: boolean };

export function PlaceLine({ place, file, isWritten }: PlaceProps) {
  const code = useFilmIndex(file, place?.time && file ? file.url : null)?.timecode ?? null;
  const fileName = isWritten ? '' : (file?.file_name ?? '');
  const shape = shapeOf(place);
  const Icon = icons[shape];
  const isPlain = !place?.page && !place?.time && !place?.lines;
  const ofFile = shape === 'region' ? `a region of ${fileName}` : fileName;
  const words = isPlain && fileName ? ofFile : sayPlaceShortly(place, code);
  return (
    <span className="small second icon-line breaks" title={sayPlace(place, code)}>
      <Icon size={14} aria-hidden /> <span>{words}</span>
    </span>
  );
}

const icons = { time: IconClock, lines: IconListNumbers, region: IconRectangle, point: IconMapPin, file: IconFile };

function shapeOf(place: Place | null): keyof typeof icons {
  if (place?.time) return 'time';
  if (place?.lines) return 'lines';
  if (place?.box) return place.box.w + place.box.h > 0 ? 'region' : 'point';
  return 'file';
}
