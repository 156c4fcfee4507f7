import { Skeleton } from '@mantine/core';
import { type CSSProperties, useEffect, useRef } from 'react';
import { useAddress } from '../../ui/page/address.ts';
import { part } from '../../ui/page/part.tsx';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { filesOf, textFiles } from './edits.ts';
import { PictureButtons, pictureTypes, putPicture, usePictures } from './pictures.tsx';
import { PublishBar } from './publish-bar.tsx';
import { rangeOf, type Spot, type StudioAddress } from './spot.ts';
import type { StudioEdits } from './use-edits.ts';

const waiting = <Skeleton className="late" height={480} aria-label="Loading" />;
const CatalogForm = part(() => import('./catalog-form.tsx'), 'CatalogForm', waiting, false);

type Props = { edits: StudioEdits; spot: Spot | null; goTo: (spot: Spot) => void; onSpot: () => void };

const picturesTab = 'pictures';

/** The catalog as a form, or its files as text. */
export function Catalog(props: Props) {
  const [{ view }] = useAddress<StudioAddress>();
  return view === 'yaml' ? <CatalogText {...props} /> : <CatalogForm {...props} />;
}

/** The files of the catalog as text, and its pictures. */
function CatalogText({ edits, spot, goTo, onSpot }: Props) {
  const [{ file: inAddress = '' }] = useAddress<StudioAddress>();
  const file = inAddress === picturesTab || textFiles.includes(inAddress) ? inAddress : 'families.yaml';
  const problems = edits.check.result?.problems ?? [];
  return (
    <section className="panel" aria-label="Files">
      <div className="panel-head">
        <FileChips present={file} changed={edits.changed} />
      </div>
      {file === picturesTab ? (
        <PictureList edits={edits} />
      ) : (
        <Editor
          key={file}
          file={file}
          text={edits.text(file)}
          readOnly={edits.readOnly !== null}
          wrongLines={problems.filter((problem) => problem.file === file).map(({ line }) => line ?? 1)}
          spot={spot?.file === file ? spot : null}
          onSpot={onSpot}
          onChange={(text) => edits.edit([file, { text }])}
        />
      )}
      <PublishBar edits={edits} goTo={goTo} />
    </section>
  );
}

function FileChips({ present, changed }: { present: string; changed: string[] }) {
  const [, setAddress] = useAddress<StudioAddress>();
  const isPicture = (file: string) => !textFiles.includes(file);
  return (
    <nav className="chips" style={{ margin: 0, minWidth: 0, padding: '2px 0' }} aria-label="Files of the catalog">
      {[...textFiles.slice(1), 'studio.yaml', picturesTab].map((file) => (
        <button
          key={file}
          type="button"
          className="chip"
          aria-pressed={file === present}
          onClick={() => setAddress({ file }, { replace: false })}
        >
          {file === picturesTab ? 'Pictures' : file}
          {(file === picturesTab ? changed.some(isPicture) : changed.includes(file)) && <span>changed</span>}
        </button>
      ))}
    </nav>
  );
}

type EditorProps = {
  file: string;
  text: string;
  readOnly: boolean;
  wrongLines: number[];
  spot: Spot | null;
  onSpot: () => void;
  onChange: (text: string) => void;
};

/** A plain text field with numbered lines. It is as large as its text, and its frame scrolls. */
function Editor({ file, text, readOnly, wrongLines, spot, onSpot, onChange }: EditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const lines = text.split('\n');
  const widest = lines.reduce((most, { length }) => Math.max(most, length), 0);
  useEffect(() => {
    if (!spot || !field.current || !frame.current) return;
    field.current.focus({ preventScroll: true });
    field.current.setSelectionRange(...rangeOf(field.current.value, spot));
    const line = field.current.scrollHeight / field.current.value.split('\n').length;
    frame.current.scrollTo({ top: (spot.line - 4) * line });
    frame.current.scrollIntoView({ block: 'nearest' });
    onSpot();
  }, [spot, onSpot]);
  return (
    <div ref={frame} className="mono editor">
      <pre className="editor-numbers" aria-hidden>
        {lines.map((_, at) => (
          <span key={at} data-wrong={wrongLines.includes(at + 1) || undefined}>{`${at + 1}\n`}</span>
        ))}
      </pre>
      <textarea
        ref={field}
        aria-label={`Text of ${file}`}
        className="editor-text"
        style={{ '--columns': widest + 4 } as CSSProperties}
        rows={Math.max(lines.length, 12)}
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        readOnly={readOnly}
        placeholder={text === '' ? 'This file does not exist. Write its first line.' : ''}
        value={text}
        onChange={({ currentTarget: { value } }) => onChange(value)}
      />
    </div>
  );
}

const columns = 'repeat(auto-fill, minmax(200px, 1fr))';

/** The pictures of the services, and the marks beside `studio.yaml`. */
function PictureList({ edits }: { edits: StudioEdits }) {
  const { newest, edits: draft, readOnly } = edits;
  const addressOf = usePictures(edits);
  const files = filesOf(newest.documents, draft).filter((file) => !file.endsWith('.yaml'));
  const put = (file: string) => putPicture(edits, file.slice(0, file.lastIndexOf('.')), file);
  return (
    <div className="panel-body stack">
      {files.length === 0 && <p className="second">No pictures yet. Add them in the form.</p>}
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
                accept={pictureTypes}
                onChoose={put(file)}
                onRemove={() => edits.edit([file, 'removed'])}
              />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function sayState({ edits, newest }: StudioEdits, file: string): string {
  const stored = newest.documents.find((document) => document.file === file);
  if (edits.files[file] === undefined) return stored ? sayBytes(stored.size_bytes) : '';
  return stored ? 'replaced, not published' : 'new, not published';
}
