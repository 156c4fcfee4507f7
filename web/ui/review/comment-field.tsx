import { Box, Button } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Textarea } from '../form/textarea.tsx';
import { KeyHint } from '../shell/shortcuts.tsx';
import { circle, CommentFoot, PlaceLine } from './comment-item.tsx';
import { middle, type Place } from './place.ts';
import type { Review } from './use-review.ts';
import { stageKindOf } from './view-file.ts';

type Props = { review: Review; number: number; onKeep: () => void };

export const longestComment = 2_000;

/** The comment being written, in the list at its number. */
export function CommentField({ review, number, onKeep }: Props) {
  const { writing, file, setText, discard, place } = review;
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
    place(pointAt(writing.place, kind === 'pdf'));
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
          maxLength={longestComment}
          value={writing.text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <CommentFoot>
          {writing.place ? (
            <PlaceLine place={writing.place} fileName="" />
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

/** A pin in the middle, for the arrow keys to move. */
const pointAt = (place: Place | null, isPaged: boolean): Place => ({
  ...place,
  ...(isPaged ? { page: place?.page ?? 1 } : {}),
  box: middle,
});
