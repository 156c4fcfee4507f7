import { Box, Button, UnstyledButton } from '@mantine/core';
import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { File, ReviewComment } from '../../app/api.ts';
import { Textarea } from '../../ui/form/fields.tsx';
import { IconCheck, IconFile, IconMusic, IconVideo } from '../../ui/look/icons.ts';
import { useFilmIndex } from '../../ui/preview/film.ts';
import { sayPlaceIn } from '../../ui/review/place-words.ts';
import { parsePlace } from '../../ui/review/place.ts';
import { KeyHint } from '../../ui/shell/shortcuts.tsx';
import { deskFileUrl } from './send-deliverable.ts';
import { useInViewport } from '@mantine/hooks';
import { sayTime } from '../../ui/preview/length.ts';
import { kindOf } from '../../ui/preview/previewed.ts';
import { cropOf } from './crop.ts';

type Props = {
  comment: ReviewComment;
  file: File | undefined;
  selected: boolean;
  changeable: boolean;
  /** The note of a done comment is open in the field. */
  changing: boolean;
  note: string;
  onNote: (note: string) => void;
  /** Opens the note of a done comment in the field. */
  onChange: () => void;
  onSave: () => void;
  onSelect: () => void;
  /** Opens the review at the place of the comment. */
  onShow: () => void;
  onToggle: () => void;
};

export function ToDoItem(props: Props) {
  const { comment, file, selected, changeable, changing, onSelect, onShow, onToggle, onSave } = props;
  const done = comment.done_at !== null;
  const place = parsePlace(comment.at);
  const code = useFilmIndex(file, file && place?.time ? deskFileUrl(file.id) : null)?.timecode;
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
          {sayPlaceIn(place, comment.file_name, code)}
        </span>
        {comment.replies.map(({ id, author, text }) => (
          <span key={id} className="small breaks" style={{ borderLeft: '2px solid var(--line)', paddingLeft: 8 }}>
            <strong>{author.name}</strong> {author.kind === 'guest' && <Guest />} <span dir="auto">{text}</span>
          </span>
        ))}
        <Note {...props} onSave={act} />
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

/** What the customer reads beside a comment that is done. */
function Note({ comment, selected, changeable, changing, note, onNote, onChange, onSave }: Props) {
  const { number, done_at, done_note } = comment;
  const writing = changeable && (changing || (done_at === null && selected));
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

const Guest = () => (
  <Box component="span" px={5} bd="1px solid var(--strong-line)" bdrs={4}>
    guest
  </Box>
);

type CropProps = { comment: ReviewComment; file: File | undefined };
const signs: Record<string, typeof IconFile> = { video: IconVideo, audio: IconMusic };

/** The part of a picture around the pin of a comment, the frame of a film, or else an icon. */
function CommentCrop({ comment, file }: CropProps) {
  const { ref, inViewport } = useInViewport();
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const [broken, setBroken] = useState(false);
  const { box, page, time } = parsePlace(comment.at) ?? {};
  const kind = !file ? 'other' : file.viewing_copy === 'made' ? 'video' : kindOf(file);
  const isFrame = kind === 'video' && time !== undefined;
  const Sign = signs[kind] ?? IconFile;
  const url = file && (isFrame ? frameUrl(file, time.from) : pictureOf(file));
  const crop = size && box && !broken ? cropOf(box, size) : null;
  const number = (
    <span className={crop ? 'crop-number at-pin' : 'crop-number'} style={crop?.pin}>
      {comment.number}
    </span>
  );
  if (!url || broken || (page ?? 1) > 1)
    return (
      <span className="crop" aria-hidden>
        <Sign size={20} stroke={1.4} />
        {page !== undefined && <span className="small">page {page}</span>}
        {time && <span className="small numbers">{sayTime(time.from)}</span>}
        {number}
      </span>
    );
  const onSize = (width: number, height: number) => (width > 0 ? setSize({ width, height }) : setBroken(true));
  const shown = {
    src: url,
    className: crop ? 'crop-part' : 'contain',
    style: crop?.picture ?? ({ objectFit: 'cover' } as const),
    onError: () => setBroken(true),
  };
  return (
    <span ref={ref} className="crop" aria-hidden>
      {!isFrame && (
        <img
          {...shown}
          alt=""
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => onSize(naturalWidth, naturalHeight)}
        />
      )}
      {isFrame && inViewport && (
        <video
          {...shown}
          muted
          playsInline
          preload="metadata"
          tabIndex={-1}
          onLoadedMetadata={({ currentTarget: film }: SyntheticEvent<HTMLVideoElement>) =>
            onSize(film.videoWidth, film.videoHeight)
          }
        />
      )}
      {crop && box && box.w > 0 && (
        <span
          className="crop-region"
          style={{
            width: crop.region.width,
            height: crop.region.height,
            left: crop.pin.left - crop.region.width / 2,
            top: crop.pin.top - crop.region.height / 2,
          }}
        />
      )}
      {number}
    </span>
  );
}

/** Posters are small; a picture without one is drawn itself. */
const pictureOf = (file: File): string | null =>
  file.poster ?? (file.status === 'uploaded' && kindOf(file) === 'image' ? deskFileUrl(file.id) : null);

/** From the copy for viewing, if there is one. */
const frameUrl = ({ id, status, viewing_copy: copy }: File, time: number): string | null =>
  status === 'uploaded' ? `${deskFileUrl(id)}${copy === 'made' ? '?copy=viewing' : ''}#t=${time}` : null;
