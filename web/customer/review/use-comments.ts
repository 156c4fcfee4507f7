import { type QueryKey, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  api,
  AtelierError,
  operationQuery,
  type Output,
  queryClient,
  type ReviewComment,
  useOperation,
} from '../../app/api.ts';
import { useStreamState } from '../../app/live/live.ts';
import { useDraft } from '../../app/session/draft.ts';
import { nextNumber, type ReviewComment as ShownComment, type Talk, type Writing } from '../../ui/review/comments.ts';
import { useBack, useOnline } from '../../ui/page/line.ts';
import { failureSentence, notify } from '../../ui/page/page.tsx';
import { fragmentOf, parsePlace } from '../../ui/review/place.ts';
import { shownComment } from './shown-comment.ts';
import { useMoveKey } from '../../ui/form/form.ts';

/** Milliseconds between reads. The stream tells of each change; this is for when there is none. */
const every = 15_000;

/** The comments of one round of a job, and the one being written. `canSend`: while its review goes on. */
export function useComments(jobId: string, round: number, canSend: boolean) {
  const query = operationQuery('listComments', { path: { id: jobId }, query: { round } });
  const { data, error } = useQuery({ ...query, refetchInterval: every });
  const stored = data?.comments ?? [];
  const [writing, setWriting, forget] = useDraft<Writing | null>(`comment-${jobId}-${round}`, null);
  const [unsaved, setUnsaved] = useUnsaved(jobId, round);
  const talk = useTalk(jobId, round, query.queryKey);
  const latest = useRef(writing);
  latest.current = writing;
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
  const { sending, send } = useSending(jobId, query.queryKey, drop, handBack);
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
  const retry = (key?: string) => {
    if (canSend) for (const comment of unsaved) if (key === undefined || comment.key === key) void send(comment);
  };
  useRetry(unsaved.length > sending.length, retry);
  const isWritten = (writing?.text ?? '').trim() !== '';
  const saveAll = () => {
    retry();
    if (isWritten) keep();
    if (talk.hasWords) talk.sendReply();
  };
  return {
    error: data === undefined ? error : null,
    isLoading: data === undefined,
    stored,
    /** How much the studio would not get: what only this browser has, and what is being written. */
    unsaved: {
      count: canSend ? unsaved.length + Number(isWritten) + Number(talk.hasWords) : 0,
      isSaving: sending.length > 0 || update.isPending || talk.isSending,
      save: saveAll,
    },
    comments: [
      ...stored.map(shownComment('member')),
      ...unsaved.map(shownUnsaved(nextNumber(stored), sending, canSend)),
    ],
    talk,
    discard: (key: string) => setUnsaved((all) => all.filter((comment) => comment.key !== key)),
    writing,
    setWriting,
    keep,
    retry,
  };
}

/** Sends each comment once at a time. */
function useSending(
  jobId: string,
  listKey: QueryKey,
  onSaved: (comment: Unsaved) => void,
  onRefused: (comment: Unsaved, error: AtelierError) => void,
) {
  const [sending, setSending] = useState<string[]>([]);
  const underWay = useRef(new Set<string>());
  const create = useMutation<Output<'createComment'>, AtelierError, Unsaved>({
    mutationKey: ['createComment'],
    mutationFn: ({ key, fileId, at, text }) =>
      api.createComment({
        path: { id: jobId },
        body: { file_id: fileId, text, ...(at === null ? {} : { at }) },
        headers: { 'Idempotency-Key': key },
      }),
  });
  const send = async (comment: Unsaved) => {
    if (underWay.current.has(comment.key)) return;
    underWay.current.add(comment.key);
    setSending((keys) => [...keys, comment.key]);
    try {
      const saved = await create.mutateAsync(comment);
      queryClient.setQueryData(
        listKey,
        (now: Output<'listComments'> | undefined) => now && { ...now, comments: [...now.comments, saved.comment] },
      );
      onSaved(comment);
    } catch (error) {
      // Otherwise it stays in the list, to be sent again.
      if (error instanceof AtelierError && isRefused(error)) onRefused(comment, error);
    }
    underWay.current.delete(comment.key);
    setSending((keys) => keys.filter((key) => key !== comment.key));
  };
  return { sending, send };
}

/** Sending the same again would be refused again. */
const isRefused = ({ status }: AtelierError) => status >= 400 && status < 500 && status !== 401 && status !== 429;

/** When the line is back, and once when the review is opened. */
function useRetry(isLost: boolean, retry: () => void): void {
  const line = useStreamState();
  const again = useEffectEvent(retry);
  useOnline(retry);
  useBack(isLost, retry);
  useEffect(() => {
    if (line === 'live') again();
  }, [line]);
}

const shownUnsaved =
  (first: number, sending: string[], canSend: boolean) =>
  ({ key, fileId, at, text, createdAt }: Unsaved, index: number): ShownComment => ({
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
    replies: [],
    settledBy: null,
    isOpen: false,
    unsaved: sending.includes(key) ? 'sending' : canSend ? 'failed' : 'lost',
  });

type Listed = { comments: ReviewComment[] };

/** Replies of a member, and comments that they settle. What could not be sent stays in the field. */
function useTalk(jobId: string, round: number, listKey: QueryKey) {
  const [replying, setReplying, forget] = useDraft<Talk['replying']>(`reply-${jobId}-${round}`, null);
  const reply = useOperation('createReply');
  const removal = useOperation('deleteReply');
  const settling = useOperation('settleComment');
  const text = replying?.text.trim() ?? '';
  const key = useMoveKey(`${replying?.id}-${text}`);
  const show = {
    onSuccess: ({ comment }: { comment: ReviewComment }) =>
      queryClient.setQueryData(
        listKey,
        (now: Listed | undefined) => now && { ...now, comments: replaced(now, comment) },
      ),
    onError: (error: AtelierError) => notify(failureSentence(error)),
  };
  const sendReply = () => {
    if (!replying || text === '' || reply.isPending) return;
    reply.mutate(
      { path: { id: jobId, comment_id: replying.id }, body: { text }, idempotencyKey: key },
      { ...show, onSuccess: (answer) => (forget(), show.onSuccess(answer)) },
    );
  };
  return {
    replying,
    setReplying,
    sendReply,
    isSending: reply.isPending,
    hasWords: text !== '',
    onRemoveReply: (comment_id: string, reply_id: string) =>
      removal.mutate({ path: { id: jobId, comment_id, reply_id } }, show),
    onSettle: (comment_id: string, settled: boolean) =>
      settling.mutate({ path: { id: jobId, comment_id }, body: { settled } }, show),
  };
}

const replaced = ({ comments }: Listed, comment: ReviewComment) =>
  comments.map((each) => (each.id === comment.id ? comment : each));

/** A new comment that the service does not have yet. */
type Unsaved = { key: string; fileId: string; at: string | null; text: string; createdAt: string };

/** Comments of a round that only this browser has. */
const useUnsaved = (jobId: string, round: number) => useDraft<Unsaved[]>(`unsaved-${jobId}-${round}`, []);
