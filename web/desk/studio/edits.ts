import type { CatalogVersionDocuments, NewDocument } from '../../app/api.ts';

/** What became of a file. */
export type Edit = { text: string } | { base64: string } | { sha256: string } | 'removed';

/** Changes that are not published yet, and the newest version when they began. */
export type Edits = { base: number | null; files: Record<string, Edit> };

export const noEdits: Edits = { base: null, files: {} };

type Documents = CatalogVersionDocuments['documents'];

export const fileTypesFile = 'file-types.yaml';
/** Those that are text, in the order of the page. */
export const textFiles = ['studio.yaml', 'families.yaml', 'plans.yaml', fileTypesFile];

const stored = (documents: Documents, file: string) => documents.find((document) => document.file === file);

/** The text of a file as it would be published; empty if there is none. */
export function textOf(documents: Documents, { files }: Edits, file: string): string {
  const edit = files[file];
  if (edit === undefined) return stored(documents, file)?.text ?? '';
  return typeof edit === 'object' && 'text' in edit ? edit.text : '';
}

/** With this change; one that leads back to what is published is none. */
export function withEdit(
  { number, documents }: CatalogVersionDocuments,
  edits: Edits,
  file: string,
  edit: Edit,
): Edits {
  const { [file]: _, ...others } = edits.files;
  const files = isChange(documents, file, edit) ? { ...others, [file]: edit } : others;
  return Object.keys(files).length === 0 ? noEdits : { base: edits.base ?? number, files };
}

function isChange(documents: Documents, file: string, edit: Edit): boolean {
  const before = stored(documents, file);
  if (edit === 'removed') return before !== undefined;
  if ('sha256' in edit) return edit.sha256 !== before?.sha256;
  return !('text' in edit) || edit.text !== (before?.text ?? '');
}

/** Whether all of it leads to what is published. */
export const isPublished = (documents: Documents, { files }: Edits): boolean =>
  Object.entries(files).every(([file, edit]) => !isChange(documents, file, edit));

/** All that is different in an earlier version, with what is put back into it. */
export function editsTo(newest: CatalogVersionDocuments, version: Documents, putBack: readonly NewDocument[]): Edits {
  const files = new Map<string, Edit>(newest.documents.map(({ file }) => [file, 'removed']));
  for (const { file, text, sha256 } of version) files.set(file, text === null ? { sha256 } : { text });
  for (const { file, text, base64 = '' } of putBack) files.set(file, typeof text === 'string' ? { text } : { base64 });
  return [...files].reduce((edits, [file, edit]) => withEdit(newest, edits, file, edit), noEdits);
}

/** All names of files as they would be published. */
export function filesOf(documents: Documents, { files }: Edits): string[] {
  const names = new Set([...documents.map(({ file }) => file), ...Object.keys(files)]);
  return [...names].filter((file) => files[file] !== 'removed').toSorted();
}

/** What is sent: changed files whole, others by their hash. An empty text is no file. */
export function documentsOf(documents: Documents, edits: Edits): NewDocument[] {
  return filesOf(documents, edits).flatMap((file): NewDocument[] => {
    const edit = edits.files[file];
    if (edit === undefined) return [{ file, sha256: stored(documents, file)?.sha256 ?? '' }];
    if (edit === 'removed' || ('text' in edit && edit.text.trim() === '')) return [];
    return [{ file, ...edit }];
  });
}
