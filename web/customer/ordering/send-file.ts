import { api, type File as StoredFile } from '../../app/api.ts';
import { typeByEnding } from '../../app/file-types.ts';
import { withPoster } from '../../ui/upload/send-poster.ts';
import type { SendFile } from '../../ui/upload/uploads.ts';

const sendAs =
  (purpose: StoredFile['purpose'], jobId?: string): SendFile<StoredFile> =>
  async (file, { idempotencyKey, progress, signal }) => {
    const contentType = await typeByEnding(file.name);
    const stored = await api.uploadFile(file, {
      purpose,
      idempotencyKey,
      progress,
      signal,
      jobId,
      contentType,
    });
    return withPoster(stored, {
      file,
      idempotencyKey,
      send: (jpeg, key) =>
        api.createPoster({ path: { id: stored.id }, body: { jpeg }, headers: { 'Idempotency-Key': key }, signal }),
    });
  };

export const sendFile = sendAs('job_source');
export const sendReference = sendAs('job_reference');
/** For a message about a job. */
export const sendReferenceTo = (jobId: string) => sendAs('job_reference', jobId);
