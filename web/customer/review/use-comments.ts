import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, AtelierError, operationQuery, type Output, queryClient, useOperation } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { nextNumber, type ReviewComment, type Writing } from '../../ui/review/comments.ts';
import { failureSentence, notify } from '../../ui/page/page.tsx';
import { fragmentOf, parsePlace } from '../../ui/review/place.ts';
import { shownComment } from './shown-comment.ts';

/** A new comment that the service does not have yet. */
type Unsaved = { key: string; fileId: string; at: string | null; text: string; createdAt: string };

/** Milliseconds between reads. The stream tells of each change; this is for when there is none. */
const every = 15_000;

/** The comments of one round of a job, and the one being written. */
export function useComments(jobId: string, round: number) {
  const query = operationQuery('listComments', { path: { id: jobId }, query: { round } });
  const { data, error } = useQuery({ ...query, refetchInterval: every });
  const stored = data?.comments ?? [];
  const [writing, setWriting, forget] = useDraft<Writing | null>(`comment-${jobId}-${round}`, null);
  const [unsaved, setUnsaved] = useDraft<Unsaved[]>(`unsaved-${jobId}-${round}`, []);
  const [sending, setSending] = useState<string[]>([]);
  const latest = useRef(writing);
  latest.current = writing;
  const create = useMutation<Output<'createComment'>, AtelierError, Unsaved>({
    mutationKey: ['createComment'],
    mutationFn: ({ key, fileId, at, text }) =>
      api.createComment({
        path: { id: jobId },
        body: { file_id: fileId, text, ...(at === null ? {} : { at }) },
        headers: { 'Idempotency-Key': key },
      }),
  });
  const update = useOperation('updateComment');
  const drop = ({ key }: Unsaved) => setUnsaved((all) => all.filter((comment) => comment.key !== key));
  /** The words have to change: they go back to the field, unless another comment is being written there. */
  const handBack = (comment: Unsaved, error: AtelierError) => {
    notify(failureSentence(error));
    if (latest.current !== null) return;
    const { fileId, at, text } = comment;
    setWriting({ id: null, fileId, place: parsePlace(at), text });
    drop(comment);
  };
  const send = async (comment: Unsaved) => {
    setSending((keys) => [...keys, comment.key]);
    try {
      const saved = await create.mutateAsync(comment);
      queryClient.setQueryData(query.queryKey, (now) => now && { ...now, comments: [...now.comments, saved.comment] });
      drop(comment);
    } catch (error) {
      // Otherwise it stays in the list, to be sent again.
      if (error instanceof AtelierError && isRefused(error)) handBack(comment, error);
    }
    setSending((keys) => keys.filter((key) => key !== comment.key));
  };
  const keep = () => {
    if (!writing) return;
    const at = writing.place && fragmentOf(writing.place);
    const text = writing.text.trim();
    if (writing.id !== null)
      return update.mutate(
        { path: { id: jobId, comment_id: writing.id }, body: { text, at } },
        { onSuccess: () => forget(), onError: (error) => notify(failureSentence(error)) },
      );
    const comment = { key: crypto.randomUUID(), fileId: writing.fileId, at, text, createdAt: new Date().toISOString() };
    setUnsaved((all) => [...all, comment]);
    forget();
    void send(comment);
  };
  const retry = (key: string) => {
    const comment = unsaved.find((each) => each.key === key);
    if (comment) void send(comment);
  };
  return {
    error: data === undefined ? error : null,
    stored,
    comments: [...stored.map(shownComment), ...unsaved.map(shownUnsaved(nextNumber(stored), sending))],
    writing,
    setWriting,
    keep,
    retry,
  };
}

/** Sending the same again would be refused again. */
const isRefused = ({ status }: AtelierError) => status >= 400 && status < 500 && status !== 401 && status !== 429;

const shownUnsaved =
  (first: number, sending: string[]) =>
  ({ key, fileId, at, text, createdAt }: Unsaved, index: number): ReviewComment => ({
    id: key,
    number: first + index,
    fileId,
    place: parsePlace(at),
    text,
    author: 'You',
    isGuest: false,
    createdAt,
    canEdit: false,
    canRemove: false,
    unsaved: sending.includes(key) ? 'sending' : 'failed',
  });
