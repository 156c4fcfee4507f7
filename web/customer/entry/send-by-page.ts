import { labelOf, put, typeOf } from '../../../client/upload.ts';
import { Atelier, AtelierError } from '../../app/api.ts';
import { typeByEnding } from '../../app/file-types.ts';
import type { SendFile } from '../../ui/upload/uploads.ts';
import { uploadToken } from './upload-token.ts';

/** By the token of the page alone: no cookie is sent, even if a member opens it. */
export const uploadApi = new Atelier({
  url: location.origin,
  retries: 1,
  maxWaitSeconds: 2,
  fetch: (input, init) => fetch(new Request(input, { ...init, credentials: 'omit' })),
});

export type SentFile = { file_name: string; size_bytes: number };

/** The completion was asked for, but its answer was lost. */
export class UnknownOutcome extends Error {}

/** A page that has ended since the completion was asked for may have taken the file. */
export function sendByPage(): SendFile<SentFile> {
  let isCompleting = false;
  return async (file, { progress, signal }) => {
    const token = uploadToken();
    const content_type = (await typeByEnding(file.name)) ?? typeOf(file.name, file.type);
    const fields = { file_name: labelOf(file.name), content_type, size_bytes: file.size };
    try {
      const { upload } = await uploadApi.startPageUpload({ body: { token, ...fields }, signal });
      const status = await put(upload, file, progress, signal);
      if (status >= 300) throw new AtelierError(status, { message: `The storage answered ${status}.` });
      isCompleting = true;
      return await uploadApi.completePageUpload({ body: { token } });
    } catch (error) {
      if (isCompleting && error instanceof AtelierError && error.status === 404) throw new UnknownOutcome();
      throw error;
    }
  };
}
