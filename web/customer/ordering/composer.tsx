import { ActionIcon, Box, Button, FileButton } from '@mantine/core';
import { IconPaperclip, IconX } from '../../ui/look/icons.ts';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import { useDraft } from '../../app/session/draft.ts';
import { sayFailure } from '../../ui/page/page.tsx';
import { withChosen } from '../../ui/upload/chosen-order.ts';
import { useUploads } from '../../ui/upload/uploads.ts';
import { useAcceptedTypes } from '../../app/file-types.ts';
import { Textarea } from '../../ui/form/fields.tsx';
import { sendFile } from './send-file.ts';

type Props = {
  field: RefObject<HTMLTextAreaElement | null>;
  /** Under which this browser stores what is typed. */
  name: string;
  sending: boolean;
  onSend: (content: string, onSent: () => void) => void;
};

/** Enter sends and Shift+Enter starts a new line. Files are sent by id. */
export function Composer({ field, name, sending, onSend }: Props) {
  const [words, setWords] = useDraft(name, '');
  const acceptedTypes = useAcceptedTypes();
  const [files, setFiles] = useState<string[]>([]);
  const queue = useUploads(sendFile, {
    onStored: ({ id }) => setFiles((all) => withChosen(all, id)),
    onRemoved: ({ id }) => setFiles((all) => all.filter((item) => item !== id)),
  });
  const content = [words.trim(), files.join(' ')].filter(Boolean).join('\n');
  const ready = content !== '' && !sending && !queue.busy;
  const send = () => {
    if (!ready) return;
    onSend(content, () => {
      // Keeps what was typed since.
      setWords((now) => (now.startsWith(words) ? now.slice(words.length).trimStart() : now));
      setFiles((all) => all.filter((id) => !files.includes(id)));
      for (const { id } of queue.uploads) queue.forget(id);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <Box className="stack panel composer" p="6px 12px 8px" style={{ gap: 6 }}>
      <Textarea
        ref={field}
        aria-label="Your answer"
        placeholder="Answer, or say anything else"
        variant="unstyled"
        minRows={1}
        maxRows={8}
        maxLength={4000}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        data-autofocus
      />
      {queue.uploads.length > 0 && (
        <ul className="row" aria-label="Files">
          {queue.uploads.map(({ id, file, state, error }) => (
            <li key={id} className="row small">
              <span className={error ? 'bad' : undefined}>
                {file.name} {error ? sayFailure(error).title : state === 'done' ? '' : '…'}
              </span>
              <ActionIcon size={18} onClick={() => queue.remove(id)} aria-label={`Leave out ${file.name}`}>
                <IconX size={13} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      <div className="row between">
        <FileButton multiple accept={acceptedTypes} onChange={queue.add}>
          {(props) => (
            <ActionIcon {...props} aria-label="Attach files">
              <IconPaperclip size={17} />
            </ActionIcon>
          )}
        </FileButton>
        <span className="small third push wide-only">The concierge is software. It orders nothing by itself.</span>
        <Button onClick={send} loading={sending} disabled={!ready} h={30}>
          Send
        </Button>
      </div>
    </Box>
  );
}
