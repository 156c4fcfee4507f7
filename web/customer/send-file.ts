import { fileTypes } from '../../contract/file-types.ts';
import { api } from '../api.ts';
import type { SendFile } from '../ui/uploads.ts';

const typeByEnding = new Map<string, string>([
  ...Object.entries(fileTypes).map(([type, ending]) => [ending, type] as const),
  ['jpeg', 'image/jpeg'],
]);

/** What a file chooser offers. */
export const acceptedTypes = [
  ...Object.keys(fileTypes),
  ...[...typeByEnding.keys()].map((ending) => `.${ending}`),
].join(',');

/** By the ending first: what a browser names a .zip or .csv depends on the programs that are installed beside it. */
export const sendFile: SendFile = (file, { idempotencyKey, progress, signal }) => {
  const contentType = typeByEnding.get(file.name.split('.').at(-1)?.toLowerCase() ?? '');
  return api.uploadFile(file, { idempotencyKey, progress, signal, ...(contentType ? { contentType } : {}) });
};
