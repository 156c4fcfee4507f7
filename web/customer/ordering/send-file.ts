import { api, type File as StoredFile } from '../../app/api.ts';
import { typeByEnding } from '../../ui/upload/accepted-types.ts';
import type { SendFile } from '../../ui/upload/uploads.ts';

/** Uses the file extension first: a browser's type for .zip or .csv depends on installed programs. */
export const sendFile: SendFile<StoredFile> = (file, { idempotencyKey, progress, signal }) => {
  const contentType = typeByEnding(file.name);
  return api.uploadFile(file, { idempotencyKey, progress, signal, ...(contentType ? { contentType } : {}) });
};
