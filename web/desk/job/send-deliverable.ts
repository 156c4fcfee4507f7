import { labelOf, put, typeOf } from '../../../client/upload.ts';
import { api, AtelierError, type File as StoredFile } from '../../app/api.ts';
import { typeByEnding } from '../../app/file-types.ts';
import { withPoster } from '../../ui/upload/send-poster.ts';
import type { SendFile } from '../../ui/upload/uploads.ts';
import { keptLease } from './lease.ts';

/** A file of a delivery, or of a message. */
export const sendFileOf =
  (jobId: string, purpose: 'job_deliverable' | 'job_reference'): SendFile<StoredFile> =>
  async (file, { idempotencyKey, progress, signal }) => {
    const lease = keptLease(jobId);
    const { file: presigned, upload } = await api.presignDeliverable({
      path: { id: jobId },
      body: {
        purpose,
        file_name: labelOf(file.name),
        content_type: (await typeByEnding(file.name)) ?? typeOf(file.name, file.type),
        size_bytes: file.size,
        ...(lease ? { lease_token: lease.token } : {}),
      },
      headers: { 'Idempotency-Key': idempotencyKey },
      signal,
    });
    const status = await put(upload, file, progress, signal);
    if (status >= 300) throw new AtelierError(status, { message: `The storage answered the upload with ${status}.` });
    const completed = await api.completeDeliverable({ path: { id: presigned.id }, signal });
    return withPoster(completed.file, {
      file,
      idempotencyKey,
      send: (jpeg, key) =>
        api.createDeliverablePoster({
          path: { id: presigned.id },
          body: { jpeg },
          headers: { 'Idempotency-Key': key },
          signal,
        }),
    });
  };

/** Without `round`, of the whole job. */
export const deskArchiveUrl = (jobId: string, round?: number) =>
  `/api/operator/v1/jobs/${jobId}/archive${round === undefined ? '' : `?round=${round}`}`;

export const deskFileUrl = (fileId: string) => `/api/operator/v1/files/${fileId}/download`;
