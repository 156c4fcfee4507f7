import { useEffect, useRef, useState } from 'react';
import { deliveryFiles } from '../../../contract/files/file-types.ts';
import { isEnded } from '../../../contract/moves.ts';
import { type DeskJob, type File, type JobEvent, operationQuery, queryClient } from '../../app/api.ts';
import { withChosen } from '../../ui/upload/chosen-order.ts';
import { useUploads } from '../../ui/upload/uploads.ts';
import { useDeliveryDraft } from './delivery-draft.ts';
import { sendFileOf } from './send-deliverable.ts';
import { useMoves } from './use-moves.ts';

/** Milliseconds between two reads of the job while files come in. */
const refreshAfter = 1_000;

export type Delivery = ReturnType<typeof useDelivery>;

/** The next delivery, as its holder prepares it: the panel edits it, and the moves submit it. */
export function useDelivery(job: DeskJob, events: JobEvent[]) {
  const { me } = useMoves(job);
  const mine = job.holder?.operator_id === me;
  const possible = unreleased(job);
  const returned = returnedWork(job, events);
  const oldest = possible.toSorted((a, b) => (a.uploaded_at ?? '').localeCompare(b.uploaded_at ?? ''));
  // A returned delivery starts with its earlier message and files.
  const initial = { message: returned?.message ?? '', fileIds: oldest.map(({ id }) => id) };
  const draft = useDeliveryDraft(job, me, initial, mine);
  const refreshing = useRef<number | null>(null);
  const refresh = () => {
    refreshing.current = null;
    void queryClient.invalidateQueries(operationQuery('readDeskJob', { path: { id: job.id } }));
  };
  const queue = useUploads<File>(sendFileOf(job.id, 'job_deliverable'), {
    onStored: () => (refreshing.current ??= window.setTimeout(refresh, refreshAfter)),
  });
  const uploaded = [...possible, ...queue.uploads.flatMap(({ stored }) => stored ?? [])];
  const fileOf = (id: string) => uploaded.find((file) => file.id === id);

  // A finished upload joins the delivery once, where it was chosen, and leaves the list of uploads.
  const joined = useRef(new Set<string>());
  useEffect(() => {
    const finished = queue.uploads.flatMap(({ stored }) => stored ?? []).filter(({ id }) => !joined.current.has(id));
    for (const { id } of finished) joined.current.add(id);
    // A read of the job may have brought it first, in the order of the uploads' ends.
    const others = draft.fileIds.filter((id) => finished.every((file) => file.id !== id));
    const placed = finished.reduce((ids, { id }) => withChosen(ids, id), others);
    if (placed.join() !== draft.fileIds.join()) draft.change({ fileIds: placed });
    for (const { id, stored } of queue.uploads)
      if (stored && possible.some((file) => file.id === stored.id)) queue.forget(id);
  });

  const [tooMany, setTooMany] = useState(0);
  const add = (chosen: Iterable<globalThis.File>) => {
    const all = [...chosen];
    const uploading = queue.uploads.filter(({ stored }) => !stored || !draft.fileIds.includes(stored.id));
    const room = Math.max(0, deliveryFiles - draft.fileIds.length - uploading.length);
    setTooMany(Math.max(0, all.length - room));
    queue.add(all.slice(0, room));
  };

  const files = draft.fileIds.flatMap((id) => fileOf(id) ?? []);
  const waiting = queue.busy ? 'A file is still uploading.' : null;
  const isEmpty = draft.message.trim() === '' && files.length === 0;
  return {
    draft,
    queue: { ...queue, add },
    /** How many of the files chosen last were left out, because a delivery has too many. */
    tooMany,
    returned,
    mine,
    files,
    /** Uploaded for this job, but not part of this delivery. */
    others: possible.filter(({ id }) => !draft.fileIds.includes(id)),
    reason: waiting ?? (isEmpty ? 'Add a file, or a message for the customer.' : null),
  };
}

/** The files of the delivery that the customer does not have yet: submitted, or in the draft. */
export function nextFiles(job: DeskJob, inDraft: File[]): File[] {
  if (isEnded(job.status) || job.status === 'ready_for_customer_review') return [];
  return job.status === 'needs_review' ? submittedFiles(job) : inDraft;
}

/** A submission hands in these files. */
const unreleased = ({ files }: DeskJob): File[] =>
  files.filter(
    ({ uploaded_by: by, purpose, released_at: at, status }) =>
      by === 'studio' && purpose === 'job_deliverable' && at === null && status === 'uploaded',
  );

/** The returned message and the reviewer's note; null if nothing was returned in this round. */
function returnedWork({ submissions, deliveries, notes }: DeskJob, events: JobEvent[]) {
  const last = submissions.at(-1);
  if (!last || last.created_at <= (deliveries.at(-1)?.released_at ?? '')) return null;
  const at = events.findLast(({ type }) => type === 'job.returned')?.created_at ?? '';
  const note = notes.findLast(({ created_at: written }) => written >= last.created_at && written <= at);
  return { message: last.message, note };
}

export const submittedFiles = (job: DeskJob): File[] => unreleased(job).filter(({ round }) => round !== null);
