import { Button, FileButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useInstallation } from '../../app/installation.ts';
import { operationQuery } from '../../app/api.ts';
import { notify } from '../../ui/page/notify.ts';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { textAt } from './studio-yaml.ts';
import type { StudioEdits } from './use-edits.ts';

const types: Record<string, string> = { svg: 'image/svg+xml', png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };
const endingOf = (file: string) => file.slice(file.lastIndexOf('.') + 1).toLowerCase();

export const markFields = ['mark', 'mark_dark', 'icon'] as const;

/** Where each picture can be seen: what is published by its path, what is not yet by its bytes. */
export function usePictures(edits: StudioEdits): (file: string) => string | null {
  const studio = useInstallation()?.studio;
  const families = useQuery(operationQuery('readCatalog')).data?.service_families ?? [];
  const published = edits.publishedText('studio.yaml');
  const addresses = new Map<string, string | null>();
  for (const field of markFields) addresses.set(textAt(published, field) ?? '', studio?.[field] ?? null);
  for (const { id: family, service_options: options } of families)
    for (const { id: option, picture } of options)
      for (const ending of Object.keys(types)) addresses.set(`pictures/${family}/${option}.${ending}`, picture);
  return (file) => {
    const edit = edits.edits.files[file];
    if (edit === 'removed') return null;
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
    onRead(endingOf(picture.name), await base64Of(picture));
  };

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
