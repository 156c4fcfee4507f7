import { Box } from '@mantine/core';
import type { DeskJob, File, JobEvent } from '../../app/api.ts';
import { Panel } from '../../ui/page/page.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { Time } from '../../ui/time/time.tsx';
import { ReviewWays } from '../review/review-ways.tsx';
import { SmallFiles } from './small-files.tsx';

/** A submission hands in these files. */
export const unreleased = ({ files }: DeskJob): File[] =>
  files.filter(
    ({ uploaded_by: by, purpose, released_at: at, status }) =>
      by === 'studio' && purpose === 'job_deliverable' && at === null && status === 'uploaded',
  );

/** The returned message and the reviewer's note; null if nothing was returned in this round. */
export function returnedWork({ submissions, deliveries, notes }: DeskJob, events: JobEvent[]) {
  const last = submissions.at(-1);
  if (!last || last.created_at <= (deliveries.at(-1)?.released_at ?? '')) return null;
  const at = events.findLast(({ type }) => type === 'job.returned')?.created_at ?? '';
  const note = notes.findLast(({ created_at: written }) => written >= last.created_at && written <= at);
  return { message: last.message, note };
}

export const submittedFiles = (job: DeskJob): File[] => unreleased(job).filter(({ round }) => round !== null);

export function Submitted({ job }: { job: DeskJob }) {
  const files = submittedFiles(job);
  const last = job.submissions.at(-1);
  return (
    <Panel
      title={`Delivery ${job.revisions.used + 1}`}
      beside={
        <>
          {last && (
            <span className="second">
              submitted <Time at={last.created_at} />
            </span>
          )}
          <ReviewWays job={job} files={files} round={job.revisions.used} />
        </>
      }
      flush
    >
      <div className="panel-body stack">
        {last?.message && (
          <div>
            <span className="second small">Message to the customer</span>
            <p className="prose">{last.message}</p>
          </div>
        )}
        <SmallFiles files={files} className="file-grid" />
        {!last?.message && files.length === 0 && <p className="second">Nothing was submitted.</p>}
      </div>
      <QualitySignals job={job} open />
    </Panel>
  );
}

export function QualitySignals({ job, open = false }: { job: DeskJob; open?: boolean }) {
  const { qualitySignals } = useServiceNames();
  const signals = qualitySignals(job.service_family);
  if (signals.length === 0) return null;
  return (
    <details className="panel-body" style={{ borderTop: '1px solid var(--line)' }} open={open}>
      <summary className="second small">What it is checked against</summary>
      <Box component="ul" mt={8} pl={18} className="second" style={{ listStyle: 'disc' }}>
        {signals.map((signal) => (
          <li key={signal}>{signal}</li>
        ))}
      </Box>
    </details>
  );
}
