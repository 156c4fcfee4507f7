import type { Job, JobEvent } from '../../../client/generated/types.gen.ts';
import { fieldOf, studioNames } from '../../../contract/jobs/optional-fields.ts';
import { sayDuration } from '../time/duration.ts';
import { sayDue } from '../time/time.tsx';
import { eventWords } from './words.ts';

type Change = {
  /** The new due date, or the time that is left on a clock that stands still. */
  to: string;
  stands: boolean;
  reason: string;
};

/** What the studio changed, and why. Null if the due date moved with the clock, or in any other event. */
export function dueChangeOf(job: Pick<Job, 'due_date_changes'>, { id, data }: JobEvent): Change | null {
  const change = job.due_date_changes.find(({ event_id }) => event_id === id);
  if (!change) return null;
  const stands = data.remaining_seconds !== undefined;
  return {
    to: stands ? sayDuration((data.remaining_seconds ?? 0) * 1_000) : sayDue(data.due_at ?? ''),
    stands,
    reason: change.reason,
  };
}

/** What the customer changed, such as "the reference"; empty if nothing that concerns people. */
export const sayChanged = ({ changed = [] }: JobEvent['data']): string =>
  studioNames
    .filter((name) => changed.includes(name))
    .map((name) => `the ${fieldOf(name).word}${fieldOf(name).kind === 'date' ? ' date' : ''}`)
    .join(' and ');

/** A type that a later release may bring is passed over, and so is a change of metadata alone. */
export const isShown = ({ type, data }: JobEvent): boolean =>
  type in eventWords && (type !== 'job.updated' || sayChanged(data) !== '');
