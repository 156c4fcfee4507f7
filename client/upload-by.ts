import { AtelierError } from './error.ts';
import type { File, PresignedUpload, PresignUploadData } from './generated/types.gen.ts';
import { wait } from './send.ts';
import { open, type Progress, put, typeOf } from './upload.ts';

export type UploadOptions = {
  /** Default: the name of the file. */
  fileName?: string | undefined;
  /** Default: by the ending of the name. */
  contentType?: string | undefined;
  /** Default: a new one. Again with the same one is the same file, which is not sent a second time. */
  idempotencyKey?: string | undefined;
  progress?: Progress | undefined;
  signal?: AbortSignal | undefined;
};

export type CustomerUpload = UploadOptions & {
  /** Default: `job_source`. */
  purpose?: PresignUploadData['body']['purpose'] | undefined;
  /** A job that has not ended; left out, name the file in `file_ids` when you create one. */
  jobId?: string | undefined;
  /** 1 to 365, default 90. */
  retentionDays?: number | undefined;
};

type Fields = { file_name: string; content_type: string; size_bytes: number };
/** The requests around a PUT: those of a customer, or of a worker. */
export type Steps = {
  presign(fields: Fields, idempotencyKey: string): Promise<PresignedUpload>;
  complete(id: string): Promise<{ file: File }>;
};

export async function uploadBy(steps: Steps, file: string | Blob, options: UploadOptions & { retries: number }): Promise<File> {
  const { bytes, name } = await open(file);
  const { fileName = name, contentType, idempotencyKey = crypto.randomUUID(), progress = () => {}, signal, retries } = options;
  const fields = { file_name: fileName, content_type: contentType ?? typeOf(fileName, bytes.type), size_bytes: bytes.size };
  for (let tried = 0; ; tried++) {
    const { file: presigned, upload } = await steps.presign(fields, idempotencyKey);
    const isSent = presigned.status !== 'pending_upload'; // by an earlier call with the same key
    const sending = isSent ? Promise.resolve(200) : put(upload, bytes, progress, signal);
    const status = await sending.catch((error: unknown) => {
      if (signal?.aborted) throw signal.reason;
      if (!(error instanceof AtelierError) || tried >= retries) throw error;
      return 0;
    });
    if (status >= 200 && status < 300) return (await steps.complete(presigned.id)).file;
    if (status !== 0 && (status < 500 || tried >= retries))
      throw new AtelierError(status, { message: `The storage answered the upload with ${status}.` });
    await wait(0.5 * 2 ** tried * (0.5 + Math.random()), signal);
  }
}
