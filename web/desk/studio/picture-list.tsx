import { Button, FileButton, TextInput } from '@mantine/core';
import { useState } from 'react';
import { notify } from '../../ui/page/notify.ts';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { filesOf } from './edits.ts';
import { base64Of, endingOf, usePictures } from './pictures.ts';
import type { StudioEdits } from './use-edits.ts';

const accept = 'image/svg+xml,image/png,image/jpeg,image/webp';
const mostBytes = 500_000;

const columns = 'repeat(auto-fill, minmax(200px, 1fr))';

/** The pictures of the services, and the marks beside `studio.yaml`. */
export function PictureList({ edits }: { edits: StudioEdits }) {
  const { newest, edits: draft, readOnly } = edits;
  const addressOf = usePictures(edits);
  const files = filesOf(newest.documents, draft).filter((file) => !file.endsWith('.yaml'));
  /** Another format has another name. */
  const put = async (file: string, picture: File | null) => {
    if (!picture) return;
    if (picture.size > mostBytes) return notify(`${picture.name} has more than ${sayBytes(mostBytes)}.`);
    const base64 = await base64Of(picture);
    const name = `${file.slice(0, file.lastIndexOf('.'))}.${endingOf(picture.name)}`;
    edits.edit([name, { base64 }], ...(name === file ? [] : [[file, 'removed'] as [string, 'removed']]));
  };
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
              <span className="row" style={{ gap: 2 }}>
                <FileButton accept={accept} onChange={(picture) => void put(file, picture)}>
                  {(props) => (
                    <Button {...props} variant="default" size="xs" h={28} aria-label={`Replace ${file}`}>
                      Replace
                    </Button>
                  )}
                </FileButton>
                <Button
                  variant="subtle"
                  size="xs"
                  h={28}
                  aria-label={`Remove ${file}`}
                  onClick={() => edits.edit([file, 'removed'])}
                >
                  Remove
                </Button>
              </span>
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

function AddPicture({ put }: { put: (file: string, picture: File | null) => Promise<void> }) {
  const [service, setService] = useState('');
  const isComplete = serviceName.test(service);
  const add = (picture: File | null) => {
    void put(`pictures/${service}.`, picture);
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
          <Button {...props} variant="default" disabled={!isComplete}>
            Choose the picture
          </Button>
        )}
      </FileButton>
    </div>
  );
}
