import { api, type File as StoredFile } from '../../app/api.ts';
import { typeByEnding } from '../../app/file-types.ts';
import type { SendFile } from '../../ui/upload/uploads.ts';

export const sendFile: SendFile<StoredFile> = async (file, { idempotencyKey, progress, signal }) => {
  const contentType = await typeByEnding(file.name);
  return api.uploadFile(file, { idempotencyKey, progress, signal, ...(contentType ? { contentType } : {}) });
};
