import { useQuery } from '@tanstack/react-query';
import { type AuditEntry, type DeskJob, type JobEvent, operationQuery } from '../../app/api.ts';
import { Panel } from '../../ui/page/page.tsx';
import { Timeline, type TimelineEntry } from '../../ui/time/timeline.tsx';
import { deskEventWords } from './words.ts';

/** What happened, newest first, by whom: who of the studio it was is known to the audit alone. */
export function JobHistory({ job, events }: { job: DeskJob; events: JobEvent[] }) {
  const query = { account_id: job.account?.id ?? '', subject: job.id, limit: 100 };
  const audit = useQuery(operationQuery('listAudit', { query }));
  const operators = useQuery(operationQuery('listOperators'));
  const nameOf = (id: unknown) => operators.data?.operators.find((one) => one.id === id)?.name;
  const entries = audit.data?.entries ?? [];
  const by = new Map(entries.map((entry) => [entry.id, entry.by?.name]));
  const holds = entries.filter(({ action }) => action === 'job.held').map((entry) => holdEntry(entry, nameOf));
  const shown = [...timelineOf(job, events, by), ...holds].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return (
    <Panel title="What happened">
      <Timeline entries={shown} />
    </Panel>
  );
}

function holdEntry({ id, by, details, created_at: at }: AuditEntry, nameOf: (id: unknown) => string | undefined) {
  const own = details.holder === by?.id;
  const title = own ? 'Taken over' : `Handed over to ${nameOf(details.holder) ?? 'a colleague'}`;
  return { id, title, at, detail: by?.name };
}

/** Files that came or went with a move are told by the move. */
function timelineOf(job: DeskJob, events: JobEvent[], by: Map<string, string | undefined>): TimelineEntry[] {
  let round = 0;
  return events
    .filter(({ type }) => type !== 'job.deliverable_added')
    .map(({ id, type, actor, created_at: at }): TimelineEntry => {
      if (type === 'job.revision_requested') round += 1;
      const title =
        type === 'job.revision_requested' ? `${deskEventWords[type]}, round ${round}` : deskEventWords[type];
      const who = by.get(id) ?? (actor === 'worker' ? 'a worker' : undefined);
      const reason = type === 'job.rejected' ? job.reason?.message : undefined;
      return {
        id,
        title,
        at,
        detail: [who, reason].filter(Boolean).join(': ') || undefined,
        tone: actor === 'customer' ? 'you' : type === 'job.rejected' ? 'bad' : undefined,
      };
    })
    .toReversed();
}
