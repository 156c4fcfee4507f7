import { useNavigate } from '@tanstack/react-router';
import { IconAlertTriangle } from '@tabler/icons-react';
import { deskPages } from '../../../contract/pages.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { Status } from '../../ui/job/status.tsx';
import { type Column, List, type Selection } from '../../ui/list/list.tsx';
import { pathTo } from '../../ui/page/address.ts';
import { Keys, useShortcut } from '../../ui/shell/shortcuts.tsx';
import { useNow } from '../../ui/time/now.ts';
import { useUtc } from '../../ui/time/time.tsx';
import { useAccept } from '../job/moves.ts';
import { Holder } from '../job/person.tsx';
import { Age, DueTime } from './due.tsx';
import { type Group, groupByDue, type Row } from './group-by-due.ts';
import type { Tab } from './tabs.ts';

const groupWords: Record<Group['name'], string> = {
  overdue: 'Overdue',
  changes: 'Changes requested',
  today: 'Today',
  later: 'Tomorrow and later',
};

type Props = {
  tab: Omit<Tab, 'count'>;
  rows: Row[] | undefined;
  /** A click selects the row for the peek, or opens the job if there is no peek. */
  selection: Selection;
  /** While somebody points at the rows, they must not move. */
  onHold: (isPointing: boolean) => void;
};

export function QueueList({ tab, rows, selection, onHold }: Props) {
  const now = useNow(60_000);
  useUtc();
  const navigate = useNavigate();
  const { accept } = useAccept();
  const { service } = useServiceNames();
  const present = rows?.find(({ row }) => row.id === selection.selected);
  const acceptable = present?.row.status === 'queued' && !present.gone;
  useShortcut('a', 'Accept the selected job', acceptable ? () => accept(present.row.id) : null);
  useShortcut('o', 'Open the selected job', present ? () => void navigate({ to: jobPath(present) }) : null);
  return (
    <List
      label={tab.label}
      className="queue-list"
      rows={rows}
      columns={columns(service, selection.selected)}
      rowKey={({ row }) => row.id}
      href={jobPath}
      groupsOf={tab.byDue ? (all) => groupByDue(all, now).map(withHead) : undefined}
      selection={selection}
      rowClass={({ gone }) => (gone ? 'gone' : undefined)}
      onHold={onHold}
    />
  );
}

const jobPath = ({ row }: Row) => pathTo(deskPages.job, { id: row.id });

const withHead = ({ name, rows }: Group) => ({
  name,
  rows,
  head: (
    <span className="icon-line">
      {name === 'overdue' && <IconAlertTriangle size={14} aria-hidden />}
      {groupWords[name]} <span className="count numbers">{rows.length}</span>
    </span>
  ),
});

type ServiceName = (family: string, type: string) => string;

const columns = (service: ServiceName, selected: string | undefined): Column<Row>[] => [
  {
    head: 'Job',
    cell: ({ row }) => row.customer_title,
    below: ({ row }) => (
      <span className="cell-second with-keys">
        <span className="ellipsis">{service(row.service_family, row.service_type)}</span>
        {row.id === selected && <RowKeys queued={row.status === 'queued'} />}
      </span>
    ),
  },
  { head: 'Customer', className: 'ink', cell: ({ row }) => row.account.name },
  {
    head: 'State',
    cell: ({ row, gone }) =>
      gone ? (
        <span className="third">moved on</span>
      ) : (
        <>
          <Status status={row.status} side="desk" />
          {row.parked && <span className="cell-second">parked</span>}
        </>
      ),
  },
  { head: 'Due', className: 'numbers', cell: ({ row, gone }) => !gone && <DueTime job={row} /> },
  { head: 'Holder', cell: ({ row, gone }) => !gone && <Holder job={row} /> },
  { head: 'Age', end: true, className: 'numbers nowrap', cell: ({ row }) => <Age at={row.created_at} /> },
];

const RowKeys = ({ queued }: { queued: boolean }) => (
  <span className="row-keys key-hint" aria-hidden>
    {queued && (
      <>
        <Keys>a</Keys> Accept
      </>
    )}{' '}
    <Keys>Enter</Keys> Open
  </span>
);
