import { isEnded, type JobStatus } from '../../../contract/moves.ts';
import { sayDay, sayWeekday } from '../time/time.tsx';

type Retention = { kept_until: string | null; gone_at: string | null };

const day = 24 * 3_600_000;

/** "Kept until 22 Feb 2027"; within a week "Leaves on Mon 7 Dec". Nothing while the job is under way. */
export function sayRetention(
  { kept_until: end, gone_at }: Retention,
  now = Date.now(),
): { words: string; isSoon: boolean } | null {
  if (gone_at) return { words: `No longer kept since ${sayDay(gone_at)}`, isSoon: false };
  if (!end) return null;
  const isSoon = Date.parse(end) - now <= 7 * day;
  return { words: isSoon ? `Leaves on ${sayWeekday(end)}` : `Kept until ${sayDay(end)}`, isSoon };
}

type File = { status: string; retention_days: number; uploaded_at: string | null };
type Job = { status: JobStatus; status_changed_at: string; files: File[] };

const inStore = ({ files }: Pick<Job, 'files'>) => files.filter(({ status }) => status === 'uploaded');

/** Said before a job ends. */
export function sayDaysKept(job: Pick<Job, 'files'>): string {
  const days = Math.min(...inStore(job).map(({ retention_days }) => retention_days));
  return Number.isFinite(days) ? `The files stay here for ${days} days.` : '';
}

/** When the first file of an ended job leaves: retention counts from its end, or from a later upload. */
export function keptUntil({ status, status_changed_at: endedAt, files }: Job): string | null {
  if (!isEnded(status)) return null;
  const ends = inStore({ files }).map(
    ({ uploaded_at: at, retention_days: days }) =>
      Math.max(Date.parse(endedAt), Date.parse(at ?? endedAt)) + days * day,
  );
  return ends.length === 0 ? null : new Date(Math.min(...ends)).toISOString();
}
