import { useAcceptedTypes } from './file-types.ts';
import { api, type Message, operationQuery, queryClient, useOperation } from './api.ts';
import type { OutgoingMessage } from '../ui/thread/message-draft.ts';

/** The operations of each side on the thread of a job. */
const operations = {
  customer: { list: 'listMessages', send: 'sendMessage', withdraw: 'withdrawMessage', mark: 'readMessages' },
  desk: {
    list: 'listDeskMessages',
    send: 'sendDeskMessage',
    withdraw: 'withdrawDeskMessage',
    mark: 'readDeskMessages',
  },
} as const;
type Side = keyof typeof operations;

/** What the page of a job does with its thread. */
export function useThread(side: Side, jobId: string) {
  const accept = useAcceptedTypes();
  const { send, withdraw } = operations[side];
  const sending = useOperation<'sendMessage' | 'sendDeskMessage'>(send);
  const withdrawing = useOperation<'withdrawMessage' | 'withdrawDeskMessage'>(withdraw);
  const path = { id: jobId };
  return {
    accept,
    send: async ({ text, fileIds, key }: OutgoingMessage, more: { question?: true } = {}) => {
      const body = { text, ...more, ...(fileIds.length > 0 ? { file_ids: fileIds } : {}) };
      const { message } = await sending.mutateAsync({ path, body, idempotencyKey: key });
      addMessage(side, message);
    },
    withdrawing: withdrawing.isPending,
    takeBack: (message_id: string) => withdrawing.mutate({ path: { ...path, message_id } }),
    markRead: (message_id: string) => void markRead(side, jobId, message_id),
  };
}

/** Shown at once, before the thread is read again. */
const addMessage = (side: Side, message: Message) =>
  queryClient.setQueryData(operationQuery(operations[side].list, { path: { id: message.job_id } }).queryKey, (thread) =>
    thread && !thread.messages.some(({ id }) => id === message.id)
      ? { ...thread, messages: [message, ...thread.messages] }
      : thread,
  );

const marked = new Set<string>();

/** Not a mutation, which would read the whole page again. The next mark repairs one that failed. */
async function markRead(side: Side, id: string, message_id: string): Promise<void> {
  if (marked.has(message_id)) return;
  marked.add(message_id);
  try {
    await api[operations[side].mark]({ path: { id }, body: { message_id } });
    await queryClient.invalidateQueries({ queryKey: [side === 'desk' ? 'countDeskUnread' : 'countUnread'] });
  } catch {
    marked.delete(message_id);
  }
}
