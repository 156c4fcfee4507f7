import { ActionIcon, FileButton, Flex, UnstyledButton } from '@mantine/core';
import { IconFile, IconRefresh, IconUpload, IconX } from '../look/icons.ts';
import type { ComponentProps } from 'react';
import { FileCard } from '../preview/preview.tsx';
import { sayBytes } from './bytes.ts';
import { progressWords, UploadBar, UploadFailure, useTakenFiles } from './upload.tsx';
import { isLasting, type Upload, type useUploads } from './uploads.ts';
import './file-tiles.css';

type Shown = ComponentProps<typeof FileCard>['file'] & { id: string };
type Queue = ReturnType<typeof useUploads>;
type Taking = { queue: Queue; accept: string; reason: string | null };
type Props<Row extends Shown> = {
  /** For screen readers. */
  label: string;
  files: Row[];
  urlOf: (id: string) => string;
  onRemove?: (file: Row) => void;
  /** Without it nothing can be added. */
  upload?: Taking;
};

/** Files as tiles, then those on their way, then the tile that takes more. */
export const FileTiles = <Row extends Shown>({ label, files, urlOf, onRemove, upload }: Props<Row>) => (
  <ul className="tiles pairs file-tiles" aria-label={label}>
    {files.map((file) => (
      <li key={file.id}>
        <FileCard file={file} url={urlOf(file.id)} />
        {onRemove && <Corner label={`Remove ${file.file_name}`} onClick={() => onRemove(file)} />}
      </li>
    ))}
    {upload?.queue.uploads.map((each) => (
      <UploadTile key={each.id} upload={each} queue={upload.queue} />
    ))}
    {upload && <MoreFiles {...upload} />}
  </ul>
);

const corner = { variant: 'default', pos: 'absolute', top: 6, right: 6 } as const;

const Corner = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <ActionIcon {...corner} className="tile-corner" aria-label={label} onClick={onClick}>
    <IconX size={16} />
  </ActionIcon>
);

const stateWords = { waiting: 'waiting', failed: 'failed', done: 'uploaded' } as const;

function UploadTile({ upload, queue }: { upload: Upload; queue: Queue }) {
  const { id, file, state, error } = upload;
  return (
    <li className="file-card">
      <div className="file-face">
        <IconFile size={32} stroke={1.2} aria-hidden />
      </div>
      <div className="poster-caption">
        <span className="one-line">{file.name}</span>
        {error ? (
          <UploadFailure error={error} />
        ) : (
          <span className="third numbers">
            {state === 'sending' ? progressWords(upload) : `${sayBytes(file.size)} · ${stateWords[state]}`}
          </span>
        )}
        {state === 'failed' && !isLasting(error) && (
          <button type="button" className="link-button icon-line" onClick={() => queue.retry(id)}>
            <IconRefresh size={14} aria-hidden /> Try again
          </button>
        )}
      </div>
      {state === 'sending' && <UploadBar upload={upload} pos="absolute" inset="auto 0 0" h={3} bdrs={0} />}
      <Corner label={`Cancel ${file.name}`} onClick={() => queue.remove(id)} />
    </li>
  );
}

/** Takes dropped, pasted and chosen files. */
function MoreFiles({ queue, accept, reason }: Taking) {
  const { add, area } = useTakenFiles(queue, reason);
  return (
    <Flex component="li" {...area} direction="column" gap={4} mih={152} ta="center">
      <IconUpload size={18} aria-hidden />
      <span className={reason ? undefined : 'for-pointers'}>{reason ?? 'Drop, paste or'}</span>
      <FileButton multiple accept={accept} onChange={add}>
        {(props) => (
          <UnstyledButton
            className="covers underlines"
            fw={500}
            c={reason === null ? 'var(--accent-text)' : 'var(--third)'}
            style={reason === null ? {} : { cursor: 'default' }}
            disabled={reason !== null}
            {...props}
          >
            Choose files
          </UnstyledButton>
        )}
      </FileButton>
    </Flex>
  );
}
