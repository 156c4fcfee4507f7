import { ActionIcon, Button, Flex, VisuallyHidden } from '@mantine/core';
import { IconFile, IconGripVertical, IconX } from '../../ui/look/icons.ts';
import { type KeyboardEvent, useState } from 'react';
import { deliveryFiles } from '../../../contract/files/file-types.ts';
import type { File } from '../../app/api.ts';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { reordered } from './reordered.ts';
import { deskFileUrl } from './send-deliverable.ts';

type Props = {
  files: File[];
  /** Uploaded, but left out. */
  others: File[];
  onChange: (fileIds: string[]) => void;
};

const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 };

/** The files in the order in which the customer gets them, moved by dragging or by arrow keys. */
export function DeliveryFiles({ files, others, onChange }: Props) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [moved, setMoved] = useState('');
  const ids = files.map(({ id }) => id);
  const move = (file: File, to: number) => {
    const next = reordered(ids, file.id, to);
    onChange(next);
    setMoved(`${file.file_name}, now ${next.indexOf(file.id) + 1} of ${next.length}`);
  };
  return (
    <div className="stack-small">
      {files.length > 0 && (
        <ol className="delivery-files lined" aria-label="Files of this delivery, in their order">
          {files.map((file, at) => (
            <li key={file.id}>
              <Flex
                className="upload"
                align="center"
                gap={12}
                py={6}
                mih={42}
                opacity={dragged === file.id ? 0.5 : 1}
                onDragOver={(event) => {
                  if (dragged === null) return;
                  event.preventDefault();
                  if (dragged !== file.id) onChange(reordered(ids, dragged, at));
                }}
              >
                {files.length > 1 && <Grip file={file} onStep={(step) => move(file, at + step)} onDrag={setDragged} />}
                <Face file={file} />
                <span className="upload-what">
                  <a href={deskFileUrl(file.id)} download={file.file_name} className="ink">
                    {file.file_name}
                  </a>
                  <span className="second small numbers">{sayBytes(file.size_bytes)}</span>
                </span>
                {at === 0 && files.length > 1 && <span className="second small">shown first</span>}
                <ActionIcon
                  aria-label={`Leave out ${file.file_name}`}
                  onClick={() => onChange(ids.filter((id) => id !== file.id))}
                >
                  <IconX size={16} />
                </ActionIcon>
              </Flex>
            </li>
          ))}
        </ol>
      )}
      <VisuallyHidden aria-live="polite">{moved}</VisuallyHidden>
      {others.length > 0 && files.length < deliveryFiles && (
        <LeftOut files={others} onAdd={(id) => onChange([...ids, id])} />
      )}
    </div>
  );
}

type GripProps = {
  file: File;
  onStep: (step: number) => void;
  onDrag: (fileId: string | null) => void;
};

function Grip({ file, onStep, onDrag }: GripProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onStep(step);
  };
  return (
    <ActionIcon
      style={{ cursor: 'grab' }}
      draggable
      aria-label={`Move ${file.file_name} with the arrow keys`}
      onKeyDown={onKeyDown}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', file.file_name);
        onDrag(file.id);
      }}
      onDragEnd={() => onDrag(null)}
    >
      <IconGripVertical size={16} />
    </ActionIcon>
  );
}

const Face = ({ file: { poster, poster_status } }: { file: File }) =>
  poster ? (
    <img className="deliverable-face" src={poster} alt="" loading="lazy" draggable={false} />
  ) : (
    <span className="deliverable-face small">
      {poster_status === 'pending' ? 'drawing' : <IconFile size={20} stroke={1.4} aria-hidden />}
    </span>
  );

const LeftOut = ({ files, onAdd }: { files: File[]; onAdd: (id: string) => void }) => (
  <ul aria-label="Not in this delivery" className="stack-small" style={{ gap: 2 }}>
    {files.map((file) => (
      <li key={file.id} className="row small">
        <span className="third breaks">{file.file_name}</span>
        <span className="third">not in this delivery</span>
        <Button variant="subtle" size="compact-xs" onClick={() => onAdd(file.id)}>
          Add {file.file_name}
        </Button>
      </li>
    ))}
  </ul>
);
