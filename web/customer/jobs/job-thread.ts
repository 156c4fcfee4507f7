import { useMemo } from 'react';
import { api, type Job } from '../../app/api.ts';
import { typeByEnding } from '../../app/file-types.ts';
import { useThread } from '../../app/thread.ts';
import type { Attachment } from '../../ui/thread/message-draft.ts';
import type { SendFile } from '../../ui/upload/uploads.ts';
import { downloadUrl } from './job-story.ts';

export type JobThread = ReturnType<typeof useJobThread>;

export function useJobThread({ id }: Job) {
  const { accept, ...thread } = useThread('customer', id);
  const upload = useMemo(() => sendReference(id), [id]);
  return { ...thread, files: { upload, accept, fileUrl: downloadUrl } };
}

const sendReference =
  (jobId: string): SendFile<Attachment> =>
  async (file, options) => {
    const contentType = await typeByEnding(file.name);
    return api.uploadFile(file, { ...options, contentType, purpose: 'job_reference', jobId });
  };
