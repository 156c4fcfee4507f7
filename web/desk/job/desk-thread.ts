import { useMemo } from 'react';
import type { DeskJob } from '../../app/api.ts';
import { useThread } from '../../app/thread.ts';
import type { OutgoingMessage } from '../../ui/thread/message-draft.ts';
import { deskFileUrl, sendFileOf } from './send-deliverable.ts';

/** What the desk does with the thread of a job. */
export function useDeskThread({ id }: DeskJob) {
  const { accept, ...thread } = useThread('desk', id);
  const upload = useMemo(() => sendFileOf(id, 'job_reference'), [id]);
  return {
    ...thread,
    ask: (message: OutgoingMessage) => thread.send(message, { question: true }),
    files: { upload, accept, fileUrl: deskFileUrl },
  };
}
