import { ActionIcon, Box, type BoxProps, Button, FileButton, Flex } from '@mantine/core';
import { IconCircleCheck, IconPaperclip, IconRefresh, IconUpload, IconX } from '../look/icons.ts';
import { type ReactNode, useRef } from 'react';
import { AtelierError } from '../../../client/error.ts';
import { sayBytes } from './bytes.ts';
import { failureSentence } from '../page/page.tsx';
import { KeyHint, useShortcut } from '../shell/shortcuts.tsx';
import { isLasting, type Upload, type useUploads } from './uploads.ts';
import { useDroppedFiles } from './use-dropped-files.ts';

type Props = {
  queue: ReturnType<typeof useUploads>;
  accept: string;
  keys?: string;
  reason?: string | null;
  /** Takes a single file. */
  single?: boolean;
  children?: ReactNode;
};

/** How many waiting uploads are shown. */
const most = 20;

/** Accepts dropped, pasted and chosen files, and shows progress. */
export function UploadArea({ queue, accept, keys, reason = null, single = false, children }: Props) {
  const chooser = useRef<HTMLButtonElement>(null);
  useShortcut(keys ?? '', 'Choose files', keys && reason === null ? () => chooser.current?.click() : null);
  const { add, area } = useTakenFiles(queue, reason);
  const shown = queue.uploads.filter(({ state }, at) => state !== 'waiting' || at < most);
  const hidden = queue.uploads.length - shown.length;
  return (
    <div className="stack-small">
      <Flex {...area} wrap="wrap" gap={10}>
        <IconUpload size={16} aria-hidden />
        <span>{reason ?? `Drop ${single ? 'the file' : 'files'} here, paste, or`}</span>
        <FileButton multiple={!single} accept={accept} onChange={(chosen) => add([chosen ?? []].flat())}>
          {(props) => (
            <Button
              ref={chooser}
              variant="default"
              size="xs"
              h={28}
              disabled={reason !== null}
              rightSection={keys && <KeyHint>{keys}</KeyHint>}
              {...props}
            >
              {single ? 'Choose a file' : 'Choose files'}
            </Button>
          )}
        </FileButton>
      </Flex>
      {children}
      <ul aria-label="Uploads">
        {shown.map((upload) => (
          <UploadLine key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
      {hidden > 0 && <p className="second small">and {hidden} more waiting</p>}
    </div>
  );
}

/** Adds files that are pasted, or dropped on an area of this look, unless there is a reason against it. */
export function useTakenFiles(queue: Pick<Props['queue'], 'add'>, reason: string | null) {
  const ref = useRef<HTMLDivElement & HTMLLIElement>(null);
  const add = (files: Iterable<File>) => {
    if (reason === null) queue.add(files);
  };
  const over = useDroppedFiles(ref, add);
  useDroppedFiles('page', add, ['paste']);
  const area = {
    ref,
    className: 'drop second',
    align: 'center',
    justify: 'center',
    px: 16,
    py: 14,
    bd: `1px dashed var(${over ? '--accent' : '--strong-line'})`,
    bdrs: 7,
    bg: over ? 'var(--accent-soft)' : '',
  };
  return { add, area };
}

function UploadLine({ upload, queue }: { upload: Upload; queue: Props['queue'] }) {
  const { id, file, state, error } = upload;
  return (
    <Flex component="li" align="center" gap={12} py={6} mih={42}>
      <IconPaperclip size={16} className="second" aria-hidden />
      <div className="upload-what">
        <span>
          {file.name}{' '}
          <span className="second numbers">{state === 'sending' ? progressWords(upload) : sayBytes(file.size)}</span>
        </span>
        {state === 'sending' && <UploadBar upload={upload} />}
        {error && <UploadFailure error={error} />}
      </div>
      {state === 'done' && (
        <span className="status good">
          <IconCircleCheck size={14} aria-hidden /> uploaded
        </span>
      )}
      {state === 'waiting' && <span className="second small">waiting</span>}
      {state === 'failed' && !isLasting(error) && (
        <ActionIcon onClick={() => queue.retry(id)} aria-label={`Try ${file.name} again`}>
          <IconRefresh size={16} />
        </ActionIcon>
      )}
      <ActionIcon
        onClick={() => queue.remove(id)}
        aria-label={state === 'done' ? `Leave out ${file.name}` : `Cancel ${file.name}`}
      >
        <IconX size={16} />
      </ActionIcon>
    </Flex>
  );
}

export function UploadBar({ upload: { file, sent }, ...look }: BoxProps & { upload: Upload }) {
  const share = file.size === 0 ? 0 : Math.round((sent / file.size) * 100);
  return (
    <Box className="bar" role="progressbar" aria-label={`Upload of ${file.name}`} aria-valuenow={share} {...look}>
      <span style={{ width: `${share}%` }} />
    </Box>
  );
}

/** Why a file was refused, and what is taken instead. */
export const UploadFailure = ({ error }: { error: Error }) => (
  <span className="bad small breaks">
    {failureSentence(error)}
    {error instanceof AtelierError && error.code === 'unsupported_file' && error.action && (
      <Box component="details" mah={160} style={{ overflow: 'auto' }}>
        <summary>What is taken</summary>
        {error.action}
      </Box>
    )}
  </span>
);

/** "7.1 of 12 MB · 6 s left", once the speed is known. */
export function progressWords({ file, sent, startedAt }: Upload): string {
  const words = `${sayBytes(sent)} of ${sayBytes(file.size)}`;
  const seconds = (performance.now() - startedAt) / 1000;
  if (seconds < 1 || sent === 0) return words;
  return `${words} · ${Math.ceil(((file.size - sent) / sent) * seconds)} s left`;
}
