import { Box, Button, UnstyledButton } from '@mantine/core';
import { IconCheck } from '../../ui/look/icons.ts';
import type { File } from '../../app/api.ts';
import { parsePlace } from '../../ui/review/place.ts';
import { sayPlaceIn } from '../../ui/review/place-words.ts';
import { KeyHint } from '../../ui/shell/shortcuts.tsx';
import { CommentCrop } from './comment-crop.tsx';
import { type NoteProps, ToDoNote } from './to-do-note.tsx';

type Props = Omit<NoteProps, 'writing'> & {
  file: File | undefined;
  selected: boolean;
  /** The note of a done comment is open in the field. */
  changing: boolean;
  onSelect: () => void;
  /** Opens the review at the place of the comment. */
  onShow: () => void;
  onToggle: () => void;
};

export function ToDoItem({ comment, file, selected, changeable, changing, note, ...on }: Props) {
  const { onNote, onSelect, onShow, onToggle, onChange, onSave } = on;
  const done = comment.done_at !== null;
  const act = changing ? onSave : onToggle;
  return (
    <li id={comment.id} className={selected ? 'to-do-item selected' : 'to-do-item'}>
      <UnstyledButton
        className="tick"
        role="checkbox"
        aria-checked={done}
        aria-label={`Comment ${comment.number} is done`}
        disabled={!changeable}
        onClick={onToggle}
      >
        {done && <IconCheck size={14} stroke={2.4} aria-hidden />}
      </UnstyledButton>
      <UnstyledButton
        className="crop-button"
        w={96}
        bdrs={5}
        aria-label={`Show comment ${comment.number} in its file`}
        onClick={onShow}
      >
        <CommentCrop comment={comment} file={file} />
      </UnstyledButton>
      <Box className="stack-small" miw={0} style={{ gap: 3 }}>
        <UnstyledButton
          className="prose"
          fz="inherit"
          c={done ? 'var(--second)' : 'inherit'}
          aria-current={selected}
          onClick={onSelect}
        >
          <strong className="numbers">{comment.number}</strong> <span dir="auto">{comment.text}</span>
        </UnstyledButton>
        <span className="second small breaks">
          {comment.author.name} {comment.author.kind === 'guest' && <Guest />} ·{' '}
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
      </Box>
      {changeable && (
        <Button
          className="wide-only"
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

const Guest = () => (
  <Box component="span" px={5} bd="1px solid var(--strong-line)" bdrs={4}>
    guest
  </Box>
);
