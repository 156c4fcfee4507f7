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
import { type ReactNode, useEffect, useRef } from 'react';
import { Time } from '../time/time.tsx';
import type { ReviewComment } from './comments.ts';
import type { Place } from './place.ts';
import { sayPlace, sayPlaceShortly } from './place-words.ts';

type Props = {
  comment: ReviewComment;
  fileName: string;
  isSelected: boolean;
  onSelect: () => void;
  onEdit: () => void;
  onRemove: () => void;
  onRetry: () => void;
};

export function CommentItem({ comment, fileName, isSelected, onSelect, onEdit, onRemove, onRetry }: Props) {
  const { number, author, isGuest, text, createdAt, place, canEdit, canRemove, answer, unsaved } = comment;
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isSelected) item.current?.scrollIntoView({ block: 'nearest' });
  }, [isSelected]);
  return (
    <li ref={item} className={isSelected ? 'comment line-below selected' : 'comment line-below'}>
      <UnstyledButton
        {...circle}
        className="number covers"
        onClick={onSelect}
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
          <PlaceLine place={place} fileName={fileName} />
          {unsaved === 'sending' && <span className="push small second">saving</span>}
          {unsaved === 'failed' && (
            <span className="push row above">
              <span className="small bad">Not saved.</span>
              <Button variant="default" size="xs" h={28} onClick={onRetry}>
                Try again
              </Button>
            </span>
          )}
          {!unsaved && (canEdit || canRemove) && (
            <span className="push comment-actions above">
              {canEdit && (
                <ActionIcon onClick={onEdit} aria-label={`Change comment ${number}`}>
                  <IconPencil size={15} />
                </ActionIcon>
              )}
              {canRemove && (
                <ActionIcon onClick={onRemove} aria-label={`Delete comment ${number}`}>
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

/** Around the number of a comment. */
export const circle = { w: 24, h: 24, fz: 12 };

export const CommentFoot = ({ children }: { children: ReactNode }) => (
  <Flex className="comment-foot" align="center" wrap="wrap" gap={6} mih={28}>
    {children}
  </Flex>
);

type AnswerProps = { isDone: boolean; note: string | null };

/** What became of a change, in the studio's words. */
export const Answer = ({ isDone, note }: AnswerProps) => (
  <Box component="p" className="asked-answer breaks second" my={4} pl={10} fz={13}>
    <strong className="ink">{isDone ? 'Done.' : 'Not done.'}</strong> <span dir="auto">{note}</span>
  </Box>
);

export function PlaceLine({ place, fileName }: { place: Place | null; fileName: string }) {
  const Icon = icons[shapeOf(place)];
  const isRegion = place?.box !== undefined && place.box.w + place.box.h > 0;
  const isPlain = !place?.page && !place?.time && !place?.lines;
  const words = isPlain && fileName ? (isRegion ? `a region of ${fileName}` : fileName) : sayPlaceShortly(place);
  return (
    <span className="small second icon-line breaks" title={sayPlace(place)}>
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
