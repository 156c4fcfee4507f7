import { useEffect, useRef } from 'react';
import type { ReviewComment } from '../../app/api.ts';
import { Textarea } from '../../ui/form/textarea.tsx';

export type NoteProps = {
  comment: ReviewComment;
  /** Shows the field instead of the note. */
  writing: boolean;
  changeable: boolean;
  note: string;
  onNote: (note: string) => void;
  onChange: () => void;
  onSave: () => void;
};

/** What the customer reads beside a comment that is done. */
export function ToDoNote({ comment, writing, changeable, note, onNote, onChange, onSave }: NoteProps) {
  const { number, done_at, done_note } = comment;
  const field = useRef<HTMLTextAreaElement>(null);
  const opened = writing && done_at !== null;
  useEffect(() => {
    if (opened) field.current?.focus();
  }, [opened]);
  if (writing)
    return (
      <Textarea
        aria-label={`Note to the customer about comment ${number}`}
        placeholder="Note to the customer, if there is something to say"
        minRows={1}
        maxLength={2_000}
        ref={field}
        value={note}
        onChange={(event) => onNote(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          // Otherwise the page's shortcut would submit the work.
          event.preventDefault();
          onSave();
        }}
      />
    );
  if (done_at === null) return null;
  return (
    <span className="small">
      <strong className="good">Done.</strong> {done_note && <span dir="auto">“{done_note}”</span>}{' '}
      {changeable && (
        <button
          type="button"
          className="link-button"
          aria-label={`Change the note about comment ${number}`}
          onClick={onChange}
        >
          {done_note ? 'Change' : 'Add a note'}
        </button>
      )}
    </span>
  );
}
