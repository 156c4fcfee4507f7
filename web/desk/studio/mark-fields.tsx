import { Box } from '@mantine/core';
import { MarkOfAtelier } from '../../ui/shell/mark.tsx';
import { sayBytes } from '../../ui/upload/bytes.ts';
import type { Edit } from './edits.ts';
import { FaceRow } from './face-row.tsx';
import { markFields, PictureButtons, readPicture, usePictures } from './pictures.tsx';
import { textAt, withText } from './studio-yaml.ts';
import type { StudioEdits } from './use-edits.ts';

type MarkField = (typeof markFields)[number];

const names: Record<MarkField, { label: string; ground: string; without: string }> = {
  mark: { label: 'Mark', ground: 'light', without: 'the mark of Atelier' },
  mark_dark: { label: 'Mark in the dark', ground: 'dark', without: 'as in the light' },
  icon: { label: 'Icon', ground: 'light', without: 'the icon of Atelier' },
};
const centered = { display: 'grid', placeItems: 'center' };
const whole = { objectFit: 'contain' } as const;

export const MarkFields = ({ edits }: { edits: StudioEdits }) => (
  <FaceRow label="Marks" description="SVG or PNG, square, at most 100 kB. Scripts and links are taken out.">
    <div style={{ display: 'grid', gridTemplateColumns: 'repeat(3, minmax(0, 1fr))', gap: 12 }}>
      {markFields.map((field) => (
        <MarkTile key={field} edits={edits} field={field} />
      ))}
    </div>
  </FaceRow>
);

function MarkTile({ edits, field }: { edits: StudioEdits; field: MarkField }) {
  const text = edits.text('studio.yaml');
  const file = textAt(text, field);
  const addressOf = usePictures(edits);
  // Without one of its own the dark ground shows the mark.
  const address = addressOf(file || (field === 'mark_dark' ? (textAt(text, 'mark') ?? '') : ''));
  const { label, ground, without } = names[field];
  const stored = edits.newest.documents.find((document) => document.file === file);
  const isEdited = file !== undefined && edits.edits.files[file] !== undefined;
  return (
    <figure className="stack-small" style={{ gap: 6, minWidth: 0 }} aria-label={label}>
      <Box data-look={ground} h={72} bd="1px solid var(--line)" bdrs={7} bg="var(--page)" style={centered}>
        {address ? <img src={address} width={36} height={36} alt="" style={whole} /> : <MarkOfAtelier size={36} />}
      </Box>
      <figcaption className="small">
        <span>{label}</span>
        <br />
        <span className="second breaks">
          {file === '' ? without : file}
          {stored && !isEdited && `, ${sayBytes(stored.size_bytes)}`}
        </span>
      </figcaption>
      {edits.readOnly === null && file !== undefined && <MarkButtons edits={edits} field={field} file={file} />}
    </figure>
  );
}

function MarkButtons({ edits, field, file }: { edits: StudioEdits; field: MarkField; file: string }) {
  const text = edits.text('studio.yaml');
  /** A picture that no other field names goes with it. */
  const replaceBy = (name: string, ...added: [string, Edit][]) => {
    const next = withText(text, [field], name);
    const stays = file === name || markFields.some((other) => other !== field && textAt(next, other) === file);
    const removed: [string, Edit][] = file === '' || stays ? [] : [[file, 'removed']];
    edits.edit(['studio.yaml', { text: next }], ...added, ...removed);
  };
  const choose = readPicture(100_000, (ending, base64) => {
    const name = `${field.replace('_', '-')}.${ending}`;
    replaceBy(name, [name, { base64 }]);
  });
  return (
    <PictureButtons
      what={`the ${names[field].label.toLowerCase()}`}
      accept="image/svg+xml,image/png"
      onChoose={choose}
      onRemove={file === '' ? null : () => replaceBy('')}
      tight
    />
  );
}
