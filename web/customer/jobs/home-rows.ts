import type { JobListItem } from '../../app/api.ts';
import { counted } from '../../ui/job/words.ts';

/** Questions come first, since they stop the clock; then what is due next. */
export function inOrder(rows: JobListItem[]): JobListItem[] {
  const rank = ({ waiting_on, next_date: next }: JobListItem) => [
    waiting_on === null ? 1 : 0,
    next?.falls_at ? Date.parse(next.falls_at) : Number.POSITIVE_INFINITY,
  ];
  return rows.toSorted((job, other) => {
    const [[isFree = 0, at = 0], [isOtherFree = 0, otherAt = 0]] = [rank(job), rank(other)];
    return isFree - isOtherFree || (at === otherAt ? 0 : at - otherAt);
  });
}

/** What the row of a job says besides its service: the open question, or what was asked and done. */
export function detailOf(job: JobListItem, sayDay: (at: string) => string): string | null {
  const { open_question: question, changes, status, revisions, wanted_by: wish } = job;
  if (question) return `“${question}”`;
  if (status === 'ready_for_customer_review') {
    const delivery = `delivery ${revisions.used + 1}`;
    return changes ? `${delivery}, ${changes.done} of ${counted(changes.asked, 'change')} done` : delivery;
  }
  if (revisions.used > 0) return `changes asked for, round ${revisions.used}`;
  return wish && job.next_date?.kind !== 'wish' ? `wished for ${sayDay(wish)}` : null;
}
