import { ActionIcon } from '@mantine/core';
import { IconRefresh, IconX } from '../look/icons.ts';
import { sayBytes } from '../upload/bytes.ts';
import { UploadFailure } from '../upload/upload.tsx';
import { isLasting, type Upload, type useUploads } from '../upload/uploads.ts';
import { type Attachment, type MessageDraft, type SetDraft, withoutFile } from './message-draft.ts';
import { FileFace } from './story-files.tsx';

type Props = {
  draft: MessageDraft;
  setDraft: SetDraft;
  queue: ReturnType<typeof useUploads<Attachment>>;
  fileUrl: (id: string) => string;
};

const withButton = { paddingRight: 6 };

/** Files of the draft, and those on their way into it. */
export function ComposerFiles({ draft, setDraft, queue, fileUrl }: Props) {
  const underWay = queue.uploads.filter(({ state }) => state !== 'done');
  if (draft.files.length + underWay.length === 0) return null;
  const leaveOut = (file: Attachment) => {
    setDraft((now) => withoutFile(now, file.id));
    for (const { id, stored } of queue.uploads) if (stored?.id === file.id) queue.forget(id);
  };
  return (
    <ul className="row" style={{ margin: '4px 14px' }} aria-label="Files of the message">
      {draft.files.map((file) => (
        <li key={file.id} className="file-chip" style={withButton}>
          <FileFace file={file} url={fileUrl(file.id)} />
          <span className="breaks">
            <bdi>{file.file_name}</bdi> <span className="third">{sayBytes(file.size_bytes)}</span>
          </span>
          <ActionIcon size={22} onClick={() => leaveOut(file)} aria-label={`Leave out ${file.file_name}`}>
            <IconX size={14} />
          </ActionIcon>
        </li>
      ))}
      {underWay.map((upload) => (
        <UploadChip key={upload.id} upload={upload} queue={queue} />
      ))}
    </ul>
  );
}

function UploadChip({ upload: { id, file, state, sent, error }, queue }: { upload: Upload; queue: Props['queue'] }) {
  const percent = file.size === 0 ? 0 : Math.round((sent / file.size) * 100);
  const attached = { file_name: file.name, content_type: file.type, size_bytes: file.size };
  return (
    <li className="file-chip" style={withButton}>
      <FileFace file={attached} />
      <span className="breaks">
        <bdi>{file.name}</bdi>{' '}
        {error ? (
          <UploadFailure error={error} />
        ) : (
          <span className="third numbers">{state === 'waiting' ? 'waits' : `${percent} %`}</span>
        )}
      </span>
      {state === 'failed' && !isLasting(error) && (
        <ActionIcon size={22} onClick={() => queue.retry(id)} aria-label={`Try ${file.name} again`}>
          <IconRefresh size={14} />
        </ActionIcon>
      )}
      <ActionIcon size={22} onClick={() => queue.remove(id)} aria-label={`Cancel ${file.name}`}>
        <IconX size={14} />
      </ActionIcon>
    </li>
  );
}
