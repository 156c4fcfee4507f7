import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { IconAlertTriangle } from '../../ui/look/icons.ts';
import { deskPages } from '../../../contract/pages.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { Status } from '../../ui/job/status.tsx';
import { type Column, List, type Selection } from '../../ui/list/list.tsx';
import type { useMarks } from '../../ui/list/marks.ts';
import { pathTo } from '../../ui/page/address.ts';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { useNow } from '../../ui/time/now.ts';
import { Time, useUtc } from '../../ui/time/time.tsx';
import { useAccept } from '../job/use-moves.ts';
import { Holder } from '../job/person.tsx';
import { useMay } from '../may.ts';
import { RowStanding } from '../standing.tsx';
import { Age, DueTime, WishMark } from './due.tsx';
import { type Group, groupByDue, type Row } from './group-by-due.ts';
import type { Tab } from './tabs.ts';
import { useDeskUnread } from './unread.ts';

const groupWords: Record<Group['name'], string> = {
  overdue: 'Overdue',
  answered: 'The customer wrote',
  changes: 'Changes requested',
  today: 'Today',
  later: 'Tomorrow and later',
  waiting: 'Waiting for the customer',
  aside: 'Set aside',
};

const tones: { [name in Group['name']]?: string } = { overdue: 'bad', answered: 'turn', changes: 'turn' };

type Props = {
  tab: Tab;
  rows: Row[] | undefined;
  /** Whether the list goes on: its groups have more jobs then. */
  more: boolean;
  /** A click selects the row for the peek, or opens the job if there is no peek. */
  selection: Selection;
  marks: ReturnType<typeof useMarks>;
};

export function QueueList({ tab, rows, more, selection, marks }: Props) {
  const now = useNow(60_000);
  useUtc();
  const { optionName } = useServiceNames();
  const unread = useDeskUnread();
  const shownColumns = useMemo(() => columns(optionName, unread), [optionName, unread]);
  const groups = tab.byDue && rows ? groupByDue(rows, now, unread) : null;
  const onMark = (id: string, toHere: boolean) => {
    const shown = (groups?.flatMap((group) => group.rows) ?? rows ?? []).filter(({ gone }) => !gone);
    marks.mark(
      id,
      toHere,
      shown.map(({ row }) => row.id),
    );
  };
  const marking = useMay()('direct') ? { ids: marks.ids, labelOf, onMark } : undefined;
  return (
    <>
      <List
        label={tab.label}
        className="queue-list"
        rows={rows}
        columns={shownColumns}
        rowKey={idOf}
        href={jobPath}
        groupsOf={groups ? () => groups.map((group) => withHead(group, !more)) : undefined}
        selection={selection}
        marking={marking}
        rowClass={goneClass}
      />
      <RowKeys rows={rows} selected={selection.selected} anyMarked={marks.ids.length > 0} onMark={marking?.onMark} />
    </>
  );
}

type KeysProps = Pick<Props, 'rows'> & {
  selected: Selection['selected'];
  anyMarked: boolean;
  onMark: ((id: string, toHere: boolean) => void) | undefined;
};

/** The keys for the selected row. Beside the list, which a step from row to row does not render. */
function RowKeys({ rows, selected, anyMarked, onMark }: KeysProps) {
  const navigate = useNavigate();
  const { accept } = useAccept();
  const id = selected.use();
  const present = rows?.find(({ row }) => row.id === id);
  // With a selection, the key is for all of it.
  const acceptable = present?.row.status === 'queued' && !present.gone && !anyMarked;
  const mark =
    onMark && present && !present.gone
      ? (toHere: boolean) => {
          onMark(present.row.id, toHere);
          // So that the next step leads on from here.
          document.querySelector<HTMLElement>(`a[data-row="${present.row.id}"]`)?.focus();
        }
      : null;
  useShortcut('o', 'Open the selected job', present ? () => void navigate({ to: jobPath(present) }) : null, 'Open');
  useShortcut('a', 'Accept the selected job', acceptable ? () => accept(present.row.id) : null, 'Accept');
  useShortcut('x', 'Select the row, or not', mark && (() => mark(false)), 'Select');
  useShortcut('X', 'Select all rows from the last one', mark && (() => mark(true)), 'To here');
  return null;
}

const idOf = ({ row }: Row) => row.id;
const labelOf = ({ row }: Row) => `Select ${row.customer_title}`;
const goneClass = ({ gone }: Row) => (gone ? 'gone' : undefined);
const jobPath = ({ row }: Row) => pathTo(deskPages.job, { id: row.id });

const withHead = ({ name, rows }: Group, isCounted: boolean) => ({
  name,
  rows,
  head: (
    <span className={`icon-line ${tones[name] ?? ''}`}>
      {name === 'overdue' && <IconAlertTriangle size={14} aria-hidden />}
      {groupWords[name]} {isCounted && <span className="count numbers">{rows.length}</span>}
    </span>
  ),
});

type OptionName = ReturnType<typeof useServiceNames>['optionName'];

const columns = (optionName: OptionName, unread: ReadonlyMap<string, number>): Column<Row>[] => [
  {
    head: 'Job',
    cell: ({ row }) => (
      <span className="row-title" title={row.customer_title}>
        {row.customer_title}
      </span>
    ),
    below: ({ row }) => (
      <span className="cell-second row-second">
        <span className="one-line" style={row.set_aside ? { flex: 'none', maxWidth: '60%' } : undefined}>
          {row.account.name} · {optionName(row.service_family, row.service_type)}
        </span>
        <RowStanding job={row} />
        {row.set_aside && (
          <span className="one-line" title={row.set_aside.reason}>
            until <Time at={row.set_aside.set_aside_until} as="weekday" />: {row.set_aside.reason}
          </span>
        )}
      </span>
    ),
  },
  {
    head: 'State',
    width: '124px',
    cell: ({ row, gone }) =>
      gone ? (
        <span className="third">moved on</span>
      ) : (
        <Status status={row.status} side="desk" parked={row.parked} importedAt={row.imported_at} />
      ),
  },
  {
    head: 'Due',
    width: '138px',
    className: 'numbers row-due',
    cell: ({ row, gone }) =>
      !gone && (
        <>
          <span className="icon-line">
            <DueTime job={row} /> <WishMark job={row} />
          </span>
          <Unread count={unread.get(row.id) ?? 0} />
        </>
      ),
  },
  { head: 'Holder', width: '142px', className: 'row-holder', cell: ({ row, gone }) => !gone && <Holder job={row} /> },
  {
    head: 'Age',
    width: '56px',
    end: true,
    className: 'numbers nowrap wide-only',
    cell: ({ row }) => <Age at={row.created_at} />,
  },
];

const Unread = ({ count }: { count: number }) =>
  count > 0 && (
    <span className="cell-second unread numbers">{count === 1 ? '1 new message' : `${count} new messages`}</span>
  );
