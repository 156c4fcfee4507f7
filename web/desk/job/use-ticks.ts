import { useState } from 'react';
import { type DeskJob, type ReviewComment, useOperation } from '../../app/api.ts';
import { leaseOf } from './lease.ts';

/** Marks comments as done, each with a note that can be changed until the work is submitted. */
export function useTicks(job: DeskJob, comments: ReviewComment[], onChoose: (id: string) => void) {
  const complete = useOperation('completeComment');
  const reopen = useOperation('reopenComment');
  const [notes, setNotes] = useState<Record<string, string>>({});
  const [changing, setChanging] = useState<string | null>(null);
  const setNote = (id: string, note: string) => setNotes({ ...notes, [id]: note });
  const completeWithNote = (id: string, onSuccess: () => void) => {
    const note = notes[id]?.trim();
    const body = { ...leaseOf(job), ...(note && { note }) };
    complete.mutate({ path: { id: job.id, comment_id: id }, body }, { onSuccess });
  };
  const open = (comment: ReviewComment) => {
    onChoose(comment.id);
    setNote(comment.id, comment.done_note ?? '');
  };
  return {
    notes,
    setNote,
    changing,
    error: complete.error ?? reopen.error,
    tick({ id }: ReviewComment) {
      const at = comments.findIndex((comment) => comment.id === id);
      const following = comments.slice(at + 1).find((comment) => comment.done_at === null);
      completeWithNote(id, () => onChoose(following?.id ?? id));
    },
    untick(comment: ReviewComment) {
      open(comment);
      setChanging(null);
      reopen.mutate({ path: { id: job.id, comment_id: comment.id }, body: leaseOf(job) });
    },
    change(comment: ReviewComment) {
      open(comment);
      setChanging(comment.id);
    },
    save: ({ id }: ReviewComment) => completeWithNote(id, () => setChanging(null)),
  };
}
