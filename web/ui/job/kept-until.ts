import { isEnded, type JobStatus } from '../../../contract/moves.ts';

type File = { status: string; retention_days: number; uploaded_at: string | null };
type Job = { status: JobStatus; status_changed_at: string; files: File[] };

const day = 24 * 3_600_000;

/** When the first file of an ended job leaves: retention counts from its end, or from a later upload. */
export function keptUntil({ status, status_changed_at: endedAt, files }: Job): string | null {
  if (!isEnded(status)) return null;
  const ends = files.flatMap((file) => {
    if (file.status !== 'uploaded' || file.uploaded_at === null) return [];
    return [Math.max(Date.parse(endedAt), Date.parse(file.uploaded_at)) + file.retention_days * day];
  });
  return ends.length === 0 ? null : new Date(Math.min(...ends)).toISOString();
}
