import { ActionIcon, Box, Button, Flex, UnstyledButton } from '@mantine/core';
import {
  IconClock,
  IconFile,
  IconListNumbers,
  IconMapPin,
  IconPencil,
  IconRectangle,
  IconTrash,
} from '../look/icons.ts';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Textarea } from '../form/fields.tsx';
import { KeyHint } from '../shell/shortcuts.tsx';
import { useFilmIndex } from '../preview/film.ts';
import { Time } from '../time/time.tsx';
import type { ReviewComment } from './comments.ts';
import { middle, type Place } from './place.ts';
import { sayPlace, sayPlaceShortly } from './place-words.ts';
import type { Review } from './use-review.ts';
import { stageKindOf, type ViewFile } from './view-file.ts';

type Props = {
  comment: ReviewComment;
  review: Review;
  onRemove?: (id: string) => void;
  onRetry?: (id: string) => void;
};

export function CommentItem({ comment, review: { file, selected, select, edit }, onRemove, onRetry }: Props) {
  const { id, number, author, isGuest, text, createdAt, place, canEdit, canRemove, answer, unsaved } = comment;
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
          <strong className="breaks">{author}</strong>
          {isGuest && (
            <Box component="span" className="second" px={6} bd="1px solid var(--strong-line)" bdrs={4} fz={11.5}>
              guest
            </Box>
          )}
          <span className="push small second">{unsaved ? '' : <Time at={createdAt} />}</span>
        </Flex>
        <Box component="p" className="prose" fz={13.5} dir="auto">
          {text}
        </Box>
        {answer && <Answer {...answer} />}
        <CommentFoot>
          <PlaceLine place={place} file={file} />
          {unsaved === 'sending' && <span className="push small second">saving</span>}
          {unsaved === 'failed' && (
            <span className="push row above">
              <span className="small bad">Not saved.</span>
              <Button variant="default" size="xs" h={28} onClick={() => onRetry?.(id)}>
                Try again
              </Button>
            </span>
          )}
          {!unsaved && (canEdit || canRemove) && (
            <span className="push comment-actions above">
              {canEdit && (
                <ActionIcon onClick={() => edit(comment)} aria-label={`Change comment ${number}`}>
                  <IconPencil size={15} />
                </ActionIcon>
              )}
              {canRemove && (
                <ActionIcon onClick={() => onRemove?.(id)} aria-label={`Delete comment ${number}`}>
                  <IconTrash size={15} />
                </ActionIcon>
              )}
            </span>
          )}
        </CommentFoot>
      </Box>
    </li>
  );
}

/** The comment being written, in the list at its number. */
export function CommentField({ review, onKeep }: { review: Review; onKeep: () => void }) {
  const { writing, number, file, setText, discard, place } = review;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    field.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  if (!writing || !file) return null;
  const isEmpty = writing.text.trim() === '';
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isEmpty) {
      event.preventDefault();
      onKeep();
    }
    if (event.key === 'Escape' && isEmpty) {
      event.preventDefault();
      discard();
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
          <span className="push row">
            <Button variant="subtle" size="xs" h={28} px={8} onClick={discard}>
              Discard
            </Button>
            <Button
              variant="default"
              size="xs"
              h={28}
              px={10}
              disabled={isEmpty}
              onClick={onKeep}
              rightSection={<KeyHint>mod+Enter</KeyHint>}
            >
              Keep
            </Button>
          </span>
        </CommentFoot>
      </Box>
    </div>
  );
}

/** Around the number of a comment. */
const circle = { w: 24, h: 24, fz: 12 };

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

function PlaceLine({ place, file, isWritten }: PlaceProps) {
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
