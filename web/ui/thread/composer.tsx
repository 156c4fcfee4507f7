import { ActionIcon, Box, Button, FileButton, Group } from '@mantine/core';
import { IconPaperclip } from '../look/icons.ts';
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { Textarea } from '../form/fields.tsx';
import type { Inserts } from '../form/insert-list.tsx';
import { useInserts } from '../form/use-inserts.tsx';
import { failureSentence } from '../page/page.tsx';
import { KeyHint, useShortcut } from '../shell/shortcuts.tsx';
import { type SendFile, useUploads } from '../upload/uploads.ts';
import { useDroppedFiles } from '../upload/use-dropped-files.ts';
import { ComposerFiles } from './composer-files.tsx';
import { type Attachment, changed, isSendable, withFile, withoutFile } from './message-draft.ts';
import { type DraftState, type Send, useSending } from './use-sending.ts';

/** A button that sends. The last one is the main one and belongs to `mod+Enter`. */
export type Way = { label: string; send: Send; icon?: ReactNode; keys?: 'mod+Enter' | 'mod+Shift+Enter' };

export type ComposerHandle = { focus: () => void };

type Props = {
  /** The name of the field, such as "Message to the studio". */
  label: string;
  placeholder: string;
  /** Who reads it, above the field. */
  readers?: ReactNode;
  /** Beside the buttons; says who reads it where `readers` does not. */
  hint?: string;
  draft: DraftState;
  upload: SendFile<Attachment>;
  /** File types for the chooser. */
  accept: string;
  ways: [...Way[], Way];
  /** Where files can be dropped and pasted. */
  over: RefObject<HTMLElement | null>;
  /** Saved texts, with their button beside the readers. */
  inserts?: Inserts;
  /** The key that goes to the field. */
  focusKey?: string;
  /** Why nothing can be written now. */
  reason?: string | null;
  /** Whether the main button is the primary one of the page. */
  primary?: boolean;
  /** The address of a stored file, for its picture. */
  fileUrl: (id: string) => string;
  ref?: Ref<ComposerHandle>;
};

const aboveField = { flexWrap: 'nowrap', gap: 12, padding: '8px 14px', borderBottom: '1px solid var(--line)' } as const;

/** A field for words and files. Knows no API: `draft`, `upload` and `ways` do. */
export function Composer(props: Props) {
  const { label, draft, ways, inserts, focusKey, reason = null } = props;
  const [words, setWords] = draft;
  const field = useRef<HTMLTextAreaElement>(null);
  const [open, setOpen] = useState(false);
  const write = (text: string) => setWords((now) => changed(now, { text }));
  const saved = useInserts(field, { value: words.text, onWrite: write, maxLength: 5_000 }, inserts);
  const queue = useUploads(props.upload, {
    onStored: (file) => setWords((now) => withFile(now, file)),
    onRemoved: ({ id }) => setWords((now) => withoutFile(now, id)),
  });
  const dropping = useDroppedFiles(props.over, queue.add);
  const sending = useSending(draft, queue);
  const main = ways.at(-1)!;
  const focus = () => field.current?.focus();
  useImperativeHandle(props.ref, () => ({ focus }));
  useShortcut(focusKey ?? '', label, focusKey && reason === null ? focus : null);
  if (reason !== null) return <p className="note">{reason}</p>;
  const isOpen = open || words.text !== '' || words.files.length > 0 || queue.uploads.length > 0;
  const press = (send: Send) => (isSendable(words) ? sending.start(send) : focus());
  const onKeyDown = (event: KeyboardEvent) => {
    if (saved.onKey(event)) return;
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    const way = event.shiftKey ? ways.find(({ keys }) => keys === 'mod+Shift+Enter') : main;
    if (!way) return;
    event.preventDefault();
    press(way.send);
  };
  return (
    <div>
      <div className={`message-composer ${isOpen ? 'open' : ''} ${dropping ? 'dropping' : ''}`}>
        {props.readers && (
          <div className="row between composer-readers small" style={aboveField}>
            {props.readers}
            {saved.button}
          </div>
        )}
        <Textarea
          ref={field}
          className="composer-field"
          aria-label={label}
          placeholder={props.placeholder}
          variant="unstyled"
          minRows={1}
          maxRows={12}
          maxLength={5_000}
          readOnly={sending.sending}
          value={words.text}
          onFocus={() => setOpen(true)}
          onKeyDown={onKeyDown}
          {...saved.field}
        />
        {saved.list}
        <ComposerFiles draft={words} setDraft={setWords} queue={queue} fileUrl={props.fileUrl} />
        <Group className="composer-foot" gap={8} wrap="nowrap" p={isOpen ? '4px 8px 8px' : '4px 6px 4px 0'}>
          <FileButton multiple accept={props.accept} onChange={queue.add}>
            {(button) => (
              <ActionIcon {...button} aria-label="Attach files">
                <IconPaperclip size={17} />
              </ActionIcon>
            )}
          </FileButton>
          <span className="composer-hint small third wide-only">
            {dropping ? 'Drop to attach' : (props.hint ?? 'Drop or paste pictures')}
          </span>
          <SendButtons {...props} sending={sending} press={press} filled={isSendable(words)} />
        </Group>
      </div>
      <SendState sending={sending} press={press} />
    </div>
  );
}

type Sending = ReturnType<typeof useSending>;
type ButtonsProps = Props & { sending: Sending; press: (send: Send) => void; filled: boolean };

const SendButtons = ({ ways, sending, press, filled, primary = true }: ButtonsProps) => (
  <span className="row push">
    {ways.map(({ label, send, icon, keys = 'mod+Enter' }, index) => (
      <Button
        key={label}
        h={32}
        variant={filled && primary && index === ways.length - 1 ? 'filled' : 'default'}
        {...(filled ? {} : { bg: 'var(--sunken)', c: 'var(--third)', bd: '1px solid var(--line)' })}
        loading={sending.sending || sending.waitsFor !== null}
        onClick={() => press(send)}
        leftSection={icon}
        rightSection={<KeyHint>{keys}</KeyHint>}
      >
        {label}
      </Button>
    ))}
  </span>
);

/** Below the field: what sending waits for, or why it failed. */
function SendState({ sending: { failed, waitsFor, stopWaiting }, press }: Pick<ButtonsProps, 'sending' | 'press'>) {
  return (
    <Box className="small" mt={waitsFor !== null || failed ? 6 : 0} aria-live="polite">
      {waitsFor !== null && (
        <span className="second">
          Sends when {waitsFor === 1 ? 'the file is' : `${waitsFor} files are`} uploaded.{' '}
          <button type="button" className="text-button" onClick={stopWaiting}>
            Do not send yet
          </button>
        </span>
      )}
      {failed && (
        <span className="bad">
          <strong>Not sent.</strong> {failureSentence(failed.error)}{' '}
          <button type="button" className="text-button" onClick={() => press(failed.send)}>
            Try again
          </button>
        </span>
      )}
    </Box>
  );
}
