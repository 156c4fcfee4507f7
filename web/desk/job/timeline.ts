import type { AuditEntry, DeskJob, JobEvent } from '../../app/api.ts';
import type { TimelineEntry } from '../../ui/time/timeline.tsx';
import { deskEventWords } from './words.ts';

export function holdEntry(
  { id, created_by: by, details, created_at: at }: Pick<AuditEntry, 'id' | 'created_by' | 'details' | 'created_at'>,
  nameOf: (id: unknown) => string | undefined,
): TimelineEntry {
  const own = details.holder === by?.id;
  const title = own ? 'Taken over' : `Handed over to ${nameOf(details.holder) ?? 'a colleague'}`;
  return { id, title, at, detail: by?.name };
}

/** Newest first. A delivery implies its files. */
export function timelineOf(job: DeskJob, events: JobEvent[], by: Map<string, string | undefined>): TimelineEntry[] {
  let round = 0;
  return events
    .filter(({ type }) => type !== 'job.deliverable_added')
    .map(({ id, type, actor, created_at: at }): TimelineEntry => {
      if (type === 'job.revision_requested') round += 1;
      const title =
        type === 'job.revision_requested' ? `${deskEventWords[type]}, round ${round}` : deskEventWords[type];
      const who = by.get(id) ?? (actor === 'worker' ? 'a worker' : undefined);
      const reason = type === 'job.rejected' ? job.reason?.message : undefined;
      return {
        id,
        title,
        at,
        detail: [who, reason].filter(Boolean).join(': ') || undefined,
        tone: actor === 'customer' ? 'you' : type === 'job.rejected' ? 'bad' : undefined,
      };
    })
    .toReversed();
}
