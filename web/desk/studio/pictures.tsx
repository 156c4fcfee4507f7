import { Box, Button, FileButton } from '@mantine/core';
import { useInstallation } from '../../app/installation.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { notify } from '../../ui/page/page.tsx';
import { MarkOfAtelier } from '../../ui/shell/mark.tsx';
import { sayBytes } from '../../ui/upload/bytes.ts';
import type { Edit } from './edits.ts';
import { FaceRow } from './face-row.tsx';
import { textAt, withText } from './studio-yaml.ts';
import { problemAt, type StudioEdits } from './use-edits.ts';
import { Cleaned } from './problems.tsx';

const types: Record<string, string> = { svg: 'image/svg+xml', png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };
const endingOf = (file: string) => file.slice(file.lastIndexOf('.') + 1).toLowerCase();

const markFields = ['mark', 'mark_dark', 'icon'] as const;

/** Where each picture can be seen: what is published by its path, what is not yet by its bytes. */
export function usePictures(edits: StudioEdits): (file: string) => string | null {
  const studio = useInstallation()?.studio;
  const { everyFamily } = useServiceNames();
  const published = edits.publishedText('studio.yaml');
  const addresses = new Map<string, string | null>();
  for (const field of markFields) addresses.set(textAt(published, field) ?? '', studio?.[field] ?? null);
  for (const { id: family, service_options: options } of everyFamily)
    for (const { id: option, picture } of options)
      for (const ending of Object.keys(types)) addresses.set(`pictures/${family}/${option}.${ending}`, picture);
  return (file) => {
    const edit = edits.edits.files[file];
    if (edit === 'removed') return null;
    if (edit && 'sha256' in edit) return null;
    if (edit && 'base64' in edit) return `data:${types[endingOf(file)] ?? ''};base64,${edit.base64}`;
    return addresses.get(file) ?? null;
  };
}

async function base64Of(file: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(',') + 1);
}

/** Gives the ending and the bytes of a picture that somebody chose, unless it is too large. */
export const readPicture =
  (mostBytes: number, onRead: (ending: string, base64: string) => void) =>
  async (picture: File | null): Promise<void> => {
    if (!picture) return;
    if (picture.size > mostBytes) return notify(`${picture.name} has more than ${sayBytes(mostBytes)}.`);
    // By its type, because "photo.jpeg" is the same as "photo.jpg".
    const [ending = endingOf(picture.name)] = Object.entries(types).find(([, type]) => type === picture.type) ?? [];
    onRead(ending, await base64Of(picture));
  };

export const pictureTypes = 'image/svg+xml,image/png,image/jpeg,image/webp';

/** Puts a picture in the place of an old one. Another format has another name. `stem`: without the ending. */
export const putPicture = (edits: StudioEdits, stem: string, old: string | null) =>
  readPicture(500_000, (ending, base64) => {
    const file = `${stem}.${ending}`;
    edits.edit([file, { base64 }], ...(old === null || old === file ? [] : [[old, 'removed'] as [string, 'removed']]));
  });

type ButtonsProps = {
  /** For screen readers. */
  what: string;
  accept: string;
  onChoose: (picture: File | null) => Promise<void>;
  /** Absent if there is nothing to remove. */
  onRemove: (() => void) | null;
  /** Beside narrow pictures. */
  tight?: boolean;
};

export const PictureButtons = ({ what, accept, onChoose, onRemove, tight = false }: ButtonsProps) => {
  const choose = onRemove ? 'Replace' : 'Add';
  return (
    <span className="row" style={{ gap: 2 }}>
      <FileButton accept={accept} onChange={(picture) => void onChoose(picture)}>
        {(props) => (
          <Button {...props} variant="default" size="xs" h={28} px={tight ? 10 : 14} aria-label={`${choose} ${what}`}>
            {choose}
          </Button>
        )}
      </FileButton>
      {onRemove && (
        <Button variant="subtle" size="xs" h={28} px={tight ? 8 : 14} aria-label={`Remove ${what}`} onClick={onRemove}>
          Remove
        </Button>
      )}
    </span>
  );
};

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
    <Cleaned cleaned={edits.check.result?.cleaned ?? []} />
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
  const problem = problemAt(edits, 'studio.yaml', [field]);
  const isEdited = file !== undefined && edits.edits.files[file] !== undefined;
  return (
    <figure className="stack-small" style={{ gap: 6, minWidth: 0 }} aria-label={label} data-field={field} tabIndex={-1}>
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
      {problem && <p className="small bad breaks">{problem}</p>}
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
