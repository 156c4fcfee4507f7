import { type JobStatus, takesMessages, talkDaysAfterEnd } from '../../../contract/moves.ts';

/** Why no message can be written any more; null if one can. */
export const whyNoMessage = (
  { status, status_changed_at }: { status: JobStatus; status_changed_at: string },
  now: number,
): string | null =>
  takesMessages(status, Date.parse(status_changed_at), now)
    ? null
    : `The job ended more than ${talkDaysAfterEnd} days ago and takes no more messages.`;
