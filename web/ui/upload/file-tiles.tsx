import { ActionIcon, FileButton } from '@mantine/core';
import { IconFile, IconRefresh, IconUpload, IconX } from '../look/icons.ts';
import type { ComponentProps } from 'react';
import { failureSentence } from '../page/failure.tsx';
import { FileCard } from '../preview/preview.tsx';
import { sayBytes } from './bytes.ts';
import { isLasting, progressWords, useTakenFiles } from './upload.tsx';
import type { Upload, useUploads } from './uploads.ts';
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
  <ul className="file-tiles" aria-label={label}>
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

const Corner = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <ActionIcon variant="default" className="tile-corner" aria-label={label} onClick={onClick}>
    <IconX size={16} />
  </ActionIcon>
);

const stateWords = { waiting: 'waiting', failed: 'failed', done: 'uploaded' } as const;

function UploadTile({ upload, queue }: { upload: Upload; queue: Queue }) {
  const { id, file, state, sent, error } = upload;
  const share = file.size === 0 ? 0 : Math.round((sent / file.size) * 100);
  return (
    <li className="upload-tile file-card">
      <div className="file-face">
        <IconFile size={32} stroke={1.2} aria-hidden />
      </div>
      <div className="tile-words">
        <span className="file-name">{file.name}</span>
        {error ? (
          <span className="bad breaks">{failureSentence(error)}</span>
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
      {state === 'sending' && (
        <div className="bar" role="progressbar" aria-label={`Upload of ${file.name}`} aria-valuenow={share}>
          <span style={{ width: `${share}%` }} />
        </div>
      )}
      <Corner label={`Cancel ${file.name}`} onClick={() => queue.remove(id)} />
    </li>
  );
}

/** Takes dropped, pasted and chosen files. */
function MoreFiles({ queue, accept, reason }: Taking) {
  const { add, over, drag } = useTakenFiles(queue, reason);
  return (
    <li className={over ? 'drop drop-tile over' : 'drop drop-tile'} {...drag}>
      <IconUpload size={18} aria-hidden />
      <span className={reason ? undefined : 'for-pointers'}>{reason ?? 'Drop, paste or'}</span>
      <FileButton multiple accept={accept} onChange={add}>
        {(props) => (
          <button type="button" className="choose-files" disabled={reason !== null} {...props}>
            Choose files
          </button>
        )}
      </FileButton>
    </li>
  );
}
