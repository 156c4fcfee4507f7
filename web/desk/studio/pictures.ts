import { useQuery } from '@tanstack/react-query';
import { useInstallation } from '../../app/installation.ts';
import { operationQuery } from '../../app/api.ts';
import { textAt } from './studio-yaml.ts';
import type { StudioEdits } from './use-edits.ts';

const types: Record<string, string> = { svg: 'image/svg+xml', png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };
export const endingOf = (file: string) => file.slice(file.lastIndexOf('.') + 1).toLowerCase();

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

export async function base64Of(file: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file cannot be read.')));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(',') + 1);
}
