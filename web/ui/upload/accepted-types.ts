import { fileTypes } from '../../../contract/file-types.ts';

const types = new Map<string, string>([
  ...Object.entries(fileTypes).map(([type, ending]) => [ending, type] as const),
  ['jpeg', 'image/jpeg'],
]);

export const acceptedTypes = [...Object.keys(fileTypes), ...[...types.keys()].map((ending) => `.${ending}`)].join(',');

/** Uses the file extension: a browser's type for .zip or .csv depends on installed programs. */
export const typeByEnding = (name: string): string | undefined =>
  types.get(name.split('.').at(-1)?.toLowerCase() ?? '');
