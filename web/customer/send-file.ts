import { api } from '../api.ts';
import { typeByEnding } from '../ui/accepted-types.ts';
import type { SendFile } from '../ui/uploads.ts';

/** By the ending first: what a browser names a .zip or .csv depends on the programs that are installed beside it. */
export const sendFile: SendFile = (file, { idempotencyKey, progress, signal }) => {
  const contentType = typeByEnding(file.name);
  return api.uploadFile(file, { idempotencyKey, progress, signal, ...(contentType ? { contentType } : {}) });
};
