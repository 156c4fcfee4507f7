import { useQueries } from '@tanstack/react-query';
import { type File as StoredFile, operationQuery, queryClient } from '../../../app/api.ts';
import { withChosen } from '../../../ui/upload/chosen-order.ts';
import { useUploads } from '../../../ui/upload/uploads.ts';
import { sendFile } from '../send-file.ts';
import { fileIdsIn } from './edits.ts';
import type { OrderDraft } from './use-order-draft.ts';

const fileQuery = (id: string) => operationQuery('readFile', { path: { id } });

/** Milliseconds until a poster that is being drawn is looked for again. */
const posterEvery = 2_000;

/** The files of a draft, and those on their way into it. */
export function useDraftFiles(draft: OrderDraft) {
  const ids = fileIdsIn(draft.value('files'));
  const setIds = (change: (ids: string[]) => string[]) =>
    draft.changeText('files', (text) => change(fileIdsIn(text)).join(' '));
  const queue = useUploads<StoredFile>(sendFile, {
    onStored: (file, upload) => {
      queryClient.setQueryData(fileQuery(file.id).queryKey, { file });
      setIds((before) => withChosen(before, file.id));
      queue.forget(upload);
    },
  });
  const stored = useQueries({
    queries: ids.map((id) => ({
      ...fileQuery(id),
      staleTime: 60_000,
      refetchInterval: ({ state: { data } }: { state: { data?: { file: StoredFile } } }) =>
        data?.file.poster_status === 'pending' && posterEvery,
    })),
    combine: (reads) => reads.flatMap(({ data }) => data?.file ?? []),
  });
  return {
    queue,
    stored,
    remove: ({ id }: { id: string }) => setIds((before) => before.filter((other) => other !== id)),
  };
}
