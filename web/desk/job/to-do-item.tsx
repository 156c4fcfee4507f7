import { Button } from '@mantine/core';
import { IconCheck } from '../../ui/look/icons.ts';
import type { File, ReviewComment } from '../../app/api.ts';
import { parsePlace } from '../../ui/review/place.ts';
import { sayPlaceIn } from '../../ui/review/place-words.ts';
import { KeyHint } from '../../ui/shell/shortcuts.tsx';
import { CommentCrop } from './comment-crop.tsx';
import { ToDoNote } from './to-do-note.tsx';

type Props = {
  comment: ReviewComment;
  file: File | undefined;
  selected: boolean;
  changeable: boolean;
  /** The note of a done comment is open in the field. */
  changing: boolean;
  note: string;
  onNote: (note: string) => void;
  onSelect: () => void;
  /** Opens the review at the place of the comment. */
  onShow: () => void;
  onToggle: () => void;
  onChange: () => void;
  onSave: () => void;
};

export function ToDoItem({ comment, file, selected, changeable, changing, note, ...on }: Props) {
  const { onNote, onSelect, onShow, onToggle, onChange, onSave } = on;
  const done = comment.done_at !== null;
  const act = changing ? onSave : onToggle;
  return (
    <li id={comment.id} className={`to-do-item ${selected ? 'selected' : ''} ${done ? 'done' : ''}`}>
      <button
        type="button"
        className="tick"
        role="checkbox"
        aria-checked={done}
        aria-label={`Comment ${comment.number} is done`}
        disabled={!changeable}
        onClick={onToggle}
      >
        {done && <IconCheck size={14} stroke={2.4} aria-hidden />}
      </button>
      <button
        type="button"
        className="crop-button"
        aria-label={`Show comment ${comment.number} in its file`}
        onClick={onShow}
      >
        <CommentCrop comment={comment} file={file} />
      </button>
      <div className="to-do-what">
        <button type="button" className="to-do-text" aria-current={selected} onClick={onSelect}>
          <strong className="numbers">{comment.number}</strong> <span dir="auto">{comment.text}</span>
        </button>
        <span className="second small breaks">
          {comment.author.name} {comment.author.kind === 'guest' && <span className="guest">guest</span>} ·{' '}
          {sayPlaceIn(parsePlace(comment.at), comment.file_name)}
        </span>
        <ToDoNote
          comment={comment}
          writing={changeable && (changing || (!done && selected))}
          changeable={changeable}
          note={note}
          onNote={onNote}
          onChange={onChange}
          onSave={act}
        />
      </div>
      {changeable && (
        <Button
          className="to-do-button"
          variant={changing || (selected && !done) ? 'default' : 'subtle'}
          color="gray"
          size="compact-sm"
          onClick={act}
          rightSection={selected && !done && <KeyHint>x</KeyHint>}
        >
          {changing ? 'Save' : done ? 'Undo' : 'Done'}
        </Button>
      )}
    </li>
  );
}
