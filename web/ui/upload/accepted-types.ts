import { fileTypes } from '../../../contract/file-types.ts';

const types = new Map<string, string>([
  ...Object.entries(fileTypes).map(([type, ending]) => [ending, type] as const),
  ['jpeg', 'image/jpeg'],
]);

/** What a file chooser offers. */
export const acceptedTypes = [...Object.keys(fileTypes), ...[...types.keys()].map((ending) => `.${ending}`)].join(',');

/** The content type by the name's ending: what a browser names a .zip or .csv depends on the programs beside it. */
export const typeByEnding = (name: string): string | undefined =>
  types.get(name.split('.').at(-1)?.toLowerCase() ?? '');
