import { api, type File as StoredFile } from '../../app/api.ts';
import { typeByEnding } from '../../ui/upload/accepted-types.ts';
import type { SendFile } from '../../ui/upload/uploads.ts';

/** By the ending first: what a browser names a .zip or .csv depends on the programs that are installed beside it. */
export const sendFile: SendFile<StoredFile> = (file, { idempotencyKey, progress, signal }) => {
  const contentType = typeByEnding(file.name);
  return api.uploadFile(file, { idempotencyKey, progress, signal, ...(contentType ? { contentType } : {}) });
};
