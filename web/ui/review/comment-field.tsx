import { Box, Button } from '@mantine/core';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Textarea } from '../form/fields.tsx';
import { KeyHint, useShortcut } from '../shell/shortcuts.tsx';
import { circle, CommentFoot, PlaceLine } from './comment-item.tsx';
import { middle } from './place.ts';
import type { Review } from './use-review.ts';
import { stageKindOf } from './view-file.ts';

/** The comment being written, in the list at its number. */
export function CommentField({ review, onKeep }: { review: Review; onKeep: () => void }) {
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

type ButtonsProps = {
  ref: React.Ref<HTMLButtonElement>;
  isEmpty: boolean;
  onDiscard: () => void;
  onKeep: () => void;
};

const Buttons = ({ ref, isEmpty, onDiscard, onKeep }: ButtonsProps) => (
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
