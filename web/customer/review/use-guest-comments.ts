import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AtelierError, queryClient } from '../../app/api.ts';
import { useMoveKey } from '../../ui/form/form.ts';
import { useBack, useOnline } from '../../ui/page/line.ts';
import { failureSentence, notify } from '../../ui/page/page.tsx';
import type { Talk, Writing } from '../../ui/review/comments.ts';
import { fragmentOf } from '../../ui/review/place.ts';
import { guestApi } from './guest-api.ts';
import { shownComment } from './shown-comment.ts';

const key = ['guest', 'comments'];
const refresh = () => queryClient.invalidateQueries({ queryKey: key });
const sayError = (error: AtelierError) => notify(failureSentence(error));

/** The comments of the delivery that a guest looks at, and what they write. */
export function useGuestComments(name: string, round: number, canComment: boolean) {
  const { data } = useQuery({ queryKey: key, queryFn: () => guestApi.listGuestComments(), refetchInterval: 6_000 });
  const [writing, setWriting] = useStored<Writing>('atelier-review-writing');
  // The line is lost after the service has the comment, too: it is then sent again with the same key.
  const headers = useKey({ name, ...writing });
  const create = useMutation({
    mutationFn: ({ fileId, place, text }: Writing) =>
      guestApi.createGuestComment({
        body: { name, file_id: fileId, text: text.trim(), at: place ? fragmentOf(place) : undefined },
        headers,
      }),
    // What could not be saved stays in the field.
    onSuccess: () => (setWriting(null), refresh()),
    onError: sayError,
  });
  const keep = () => writing && !create.isPending && create.mutate(writing);
  const isLost = create.error instanceof AtelierError && create.error.code === 'unreachable';
  const again = () => isLost && canComment && keep();
  useOnline(again);
  useBack(isLost, again);
  const remove = useMutation({
    mutationFn: (id: string) => guestApi.deleteGuestComment({ path: { id } }),
    onSuccess: refresh,
    onError: sayError,
  });
  return {
    isLoading: data === undefined,
    comments: (data?.comments ?? []).filter((comment) => comment.round === round).map(shownComment('guest')),
    writing,
    setWriting,
    keep,
    remove: (id: string, onRemoved: () => void) => remove.mutate(id, { onSuccess: onRemoved }),
    isRemoving: remove.isPending,
    talk: useGuestTalk(name),
  };
}

/** Guests reply, and do not settle. */
function useGuestTalk(name: string): Talk {
  const [replying, setReplying] = useStored<NonNullable<Talk['replying']>>('atelier-review-reply');
  const headers = useKey({ name, ...replying });
  const reply = useMutation({
    mutationFn: ({ id, text }: NonNullable<Talk['replying']>) =>
      guestApi.createGuestReply({ path: { id }, body: { name, text: text.trim() }, headers }),
    onSuccess: () => (setReplying(null), refresh()),
    onError: sayError,
  });
  const removal = useMutation({
    mutationFn: (path: { id: string; reply_id: string }) => guestApi.deleteGuestReply({ path }),
    onSuccess: refresh,
    onError: sayError,
  });
  return {
    replying,
    setReplying,
    sendReply: () => replying && !reply.isPending && reply.mutate(replying),
    isSending: reply.isPending,
    onRemoveReply: (id, reply_id) => removal.mutate({ id, reply_id }),
    onSettle: null,
  };
}

const useKey = (sent: object) => ({ 'Idempotency-Key': useMoveKey(JSON.stringify(sent)) });

/** Of this tab, so that a reload loses nothing. */
function useStored<Value>(name: string) {
  const [value, setValue] = useState(() => JSON.parse(sessionStorage.getItem(name) ?? 'null') as Value | null);
  const set = (next: Value | null) => {
    sessionStorage.setItem(name, JSON.stringify(next));
    setValue(next);
  };
  return [value, set] as const;
}
