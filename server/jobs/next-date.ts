import type { Selectable } from 'kysely';
import type { NextDate } from '../../contract/jobs/job.ts';
import { isEnded } from '../../contract/moves.ts';
import { isoTime, type Time } from '../db/time.ts';
import type { Jobs } from '../tables.ts';

type Dated = Pick<Selectable<Jobs>, 'status' | 'revisions_used' | 'due_round'> &
  Record<'wanted_by' | 'review_due_at' | 'waiting_since' | 'due_at', Time | null>;

/** What comes next for a job, and when: the same words in lists, on pages and in calendars. */
export function nextDate(job: Dated): NextDate | null {
  const { revisions_used: round } = job;
  if (isEnded(job.status)) return null;
  if (job.review_due_at !== null) return { kind: 'review', at: isoTime(job.review_due_at), round };
  if (job.waiting_since !== null) return { kind: 'question', at: isoTime(job.waiting_since), round };
  if (job.due_at !== null && job.due_round === round)
    return { kind: round === 0 ? 'first_delivery' : 'round', at: isoTime(job.due_at), round };
  if (job.wanted_by !== null) return { kind: 'wish', at: isoTime(job.wanted_by), round };
  return { kind: 'none', at: null, round };
}
