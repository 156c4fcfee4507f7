import type { DeskJob, JobEvent } from '../../app/api.ts';

export const nameOf = ({ done_by }: DeskJob, event: JobEvent | undefined): string | undefined =>
  done_by.find(({ event_id: id }) => id === event?.id)?.name;

/** Who submitted it, the last time until this moment. */
export function submitterOf(job: DeskJob, events: JobEvent[], until = '9999'): string | undefined {
  const isIt = ({ type, created_at: at }: JobEvent) => type === 'job.submitted' && at <= until;
  return nameOf(job, events.findLast(isIt));
}

/** "Delivery 1, by Ben". */
export function deliveryTitle(job: DeskJob, events: JobEvent[], round: number, until?: string): string {
  const name = submitterOf(job, events, until);
  return `Delivery ${round + 1}${name ? `, by ${name}` : ''}`;
}

/** What was returned since the last delivery, oldest first. Files are known of the last submission only. */
export function returnedOf(job: DeskJob, events: JobEvent[]) {
  const since = job.deliveries.at(-1)?.released_at ?? '';
  return events
    .filter(({ type, created_at: at }) => type === 'job.returned' && at > since)
    .map((event, index, all) => {
      const submission = job.submissions.findLast(({ created_at: at }) => at <= event.created_at);
      const note = job.notes.findLast(
        ({ created_at: at }) => at >= (submission?.created_at ?? '') && at <= event.created_at,
      );
      const keepsFiles = index === all.length - 1 && job.status !== 'needs_review';
      return { event, note, message: submission?.message ?? null, keepsFiles };
    });
}
