import { ActionIcon, Button } from '@mantine/core';
import {
  IconClock,
  IconFile,
  IconListNumbers,
  IconMapPin,
  IconPencil,
  IconRectangle,
  IconTrash,
} from '../look/icons.ts';
import { useEffect, useRef } from 'react';
import { Time } from '../time/time.tsx';
import { Answer } from './answer.tsx';
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
    <li ref={item} className={isSelected ? 'comment selected' : 'comment'}>
      <button
        type="button"
        className="number"
        onClick={onSelect}
        aria-pressed={isSelected}
        aria-label={`${number}: ${sayPlace(place) || 'the whole file'}`}
      >
        {number}
      </button>
      <div className="comment-body">
        <div className="comment-head">
          <strong>{author}</strong>
          {isGuest && <span className="guest-mark">guest</span>}
          <span className="push small second">{unsaved ? '' : <Time at={createdAt} />}</span>
        </div>
        <p className="comment-text" dir="auto">
          {text}
        </p>
        {answer && <Answer {...answer} />}
        <div className="comment-foot">
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
        </div>
      </div>
    </li>
  );
}

export function PlaceLine({ place, fileName }: { place: Place | null; fileName: string }) {
  const Icon = icons[shapeOf(place)];
  const isRegion = place?.box !== undefined && place.box.w + place.box.h > 0;
  const isPlain = !place?.page && !place?.time && !place?.lines;
  const words = isPlain && fileName ? (isRegion ? `a region of ${fileName}` : fileName) : sayPlaceShortly(place);
  return (
    <span className="small second place-line" title={sayPlace(place)}>
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
