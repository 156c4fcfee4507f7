import { Button, FileButton, TextInput } from '@mantine/core';
import { useState } from 'react';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { filesOf } from './edits.ts';
import { PictureButtons, readPicture, usePictures } from './pictures.tsx';
import type { StudioEdits } from './use-edits.ts';

const accept = 'image/svg+xml,image/png,image/jpeg,image/webp';
const columns = 'repeat(auto-fill, minmax(200px, 1fr))';

/** The pictures of the services, and the marks beside `studio.yaml`. */
export function PictureList({ edits }: { edits: StudioEdits }) {
  const { newest, edits: draft, readOnly } = edits;
  const addressOf = usePictures(edits);
  const files = filesOf(newest.documents, draft).filter((file) => !file.endsWith('.yaml'));
  /** Another format has another name. */
  const put = (file: string) =>
    readPicture(500_000, (ending, base64) => {
      const name = `${file.slice(0, file.lastIndexOf('.'))}.${ending}`;
      edits.edit([name, { base64 }], ...(name === file ? [] : [[file, 'removed'] as [string, 'removed']]));
    });
  return (
    <div className="panel-body stack">
      {files.length === 0 && <p className="second">No pictures yet. Services are drawn without one.</p>}
      <ul style={{ display: 'grid', gridTemplateColumns: columns, gap: '20px 16px' }}>
        {files.map((file) => (
          <li key={file} className="stack-small" style={{ gap: 2 }}>
            {addressOf(file) ? (
              <img className="picture-face" src={addressOf(file) ?? ''} alt="" loading="lazy" />
            ) : (
              <span className="picture-face" />
            )}
            <span className="small breaks mono">{file}</span>
            <span className="small second">{sayState(edits, file)}</span>
            {readOnly === null && (
              <PictureButtons
                what={file}
                accept={accept}
                onChoose={put(file)}
                onRemove={() => edits.edit([file, 'removed'])}
              />
            )}
          </li>
        ))}
      </ul>
      {readOnly === null && <AddPicture put={put} />}
    </div>
  );
}

function sayState({ edits, newest }: StudioEdits, file: string): string {
  const stored = newest.documents.find((document) => document.file === file);
  if (edits.files[file] === undefined) return stored ? sayBytes(stored.size_bytes) : '';
  return stored ? 'replaced, not published' : 'new, not published';
}

const serviceName = /^[\w-]{1,60}\/[\w-]{1,60}$/;

function AddPicture({ put }: { put: (file: string) => (picture: File | null) => Promise<void> }) {
  const [service, setService] = useState('');
  const add = (picture: File | null) => {
    void put(`pictures/${service}.`)(picture);
    setService('');
  };
  return (
    <div className="row" style={{ alignItems: 'flex-end' }}>
      <TextInput
        label="Add a picture"
        description="Family and option as in families.yaml, such as design/logo"
        value={service}
        onChange={({ currentTarget: { value } }) => setService(value.trim())}
      />
      <FileButton accept={accept} onChange={add}>
        {(props) => (
          <Button {...props} variant="default" disabled={!serviceName.test(service)}>
            Choose the picture
          </Button>
        )}
      </FileButton>
    </div>
  );
}
