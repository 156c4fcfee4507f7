import { type JobStatus, takesMessages, talkDaysAfterEnd } from '../../../contract/moves.ts';

type EndedJob = { status: JobStatus; status_changed_at: string; imported_at?: string | null };

/** Why no message can be written any more; null if one can. */
export const whyNoMessage = ({ status, status_changed_at, imported_at }: EndedJob, now: number): string | null =>
  imported_at
    ? 'The job was imported and takes no messages.'
    : takesMessages(status, Date.parse(status_changed_at), now)
      ? null
      : `The job ended more than ${talkDaysAfterEnd} days ago and takes no more messages.`;
