import { useQuery } from '@tanstack/react-query';
import { type DeskJob, type JobEvent, operationQuery } from '../../app/api.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { Panel } from '../../ui/page/page.tsx';
import { Timeline } from '../../ui/time/timeline.tsx';
import { jobReads } from './job.reads.ts';
import { holdEntry, timelineOf } from './timeline.ts';

/** Newest first. Only the audit log knows which operator it was. */
export function JobHistory({ job, events }: { job: DeskJob; events: JobEvent[] }) {
  const query = { account_id: job.account?.id ?? '', subject: job.id, limit: 100 };
  const audit = useQuery(operationQuery('listAudit', { query }));
  const operators = useRead(useReads(jobReads).operators);
  const nameOf = (id: unknown) => operators.data?.operators.find((item) => item.id === id)?.name;
  const entries = audit.data?.audit_entries ?? [];
  const by = new Map(entries.map((entry) => [entry.id, entry.created_by?.name]));
  const holds = entries.filter(({ action }) => action === 'job.held').map((entry) => holdEntry(entry, nameOf));
  const shown = [...timelineOf(job, events, by), ...holds].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return (
    <Panel title="What happened">
      <Timeline entries={shown} />
    </Panel>
  );
}
