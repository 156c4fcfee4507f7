import { useMemo } from 'react';
import type { Job } from '../../app/api.ts';
import { useThread } from '../../app/thread.ts';
import { sendReferenceTo } from '../ordering/send-file.ts';
import { downloadUrl } from './job-story.ts';

export type JobThread = ReturnType<typeof useJobThread>;

export function useJobThread({ id }: Job) {
  const { accept, ...thread } = useThread('customer', id);
  const upload = useMemo(() => sendReferenceTo(id), [id]);
  return { ...thread, files: { upload, accept, fileUrl: downloadUrl } };
}
