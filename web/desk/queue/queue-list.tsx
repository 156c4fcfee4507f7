import { Skeleton } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Fragment, type MouseEvent, useRef } from 'react';
import { deskPages } from '../../../contract/pages.ts';
import { pathTo } from '../../ui/page/address.ts';
import { useNow } from '../../ui/time/now.ts';
import { useUtc } from '../../ui/time/time.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { Keys, useShortcut } from '../../ui/shell/shortcuts.tsx';
import { Status } from '../../ui/job/status.tsx';
import { Age, Due } from './due.tsx';
import { useAccept } from '../job/moves.ts';
import { Holder } from '../job/person.tsx';
import { type Group, groupByDue, type Row } from './group-by-due.ts';
import type { Tab } from './tabs.ts';

const groupWords: Record<Group['name'], string> = {
  overdue: 'Overdue',
  changes: 'Changes asked for',
  today: 'Today',
  later: 'Tomorrow and later',
};

type Props = {
  tab: Omit<Tab, 'count'>;
  rows: Row[] | undefined;
  selected: string | undefined;
  onSelect: (id: string) => void;
  /** A click shows a row in the peek; where there is none it opens the job. */
  selects: boolean;
  /** Somebody points at the rows, so they must not move. */
  onHold: (held: boolean) => void;
};

/** The rows of the queue, walked by `j` and `k`; what is pressed is done with the selected one. */
export function QueueList({ tab, rows, selected, onSelect, selects, onHold }: Props) {
  const body = useRef<HTMLTableElement>(null);
  const now = useNow(60_000);
  useUtc();
  const navigate = useNavigate();
  const { accept } = useAccept();
  const groups = !rows ? [] : tab.byDue ? groupByDue(rows, now) : [{ name: null, rows }];
  const ordered = groups.flatMap((group) => group.rows);
  const present = ordered.find(({ row }) => row.id === selected);

  const walk = (step: number) => {
    const at = ordered.findIndex(({ row }) => row.id === selected);
    const focused = body.current?.contains(document.activeElement);
    const to = ordered[focused ? Math.min(Math.max(at + step, 0), ordered.length - 1) : Math.max(at, 0)];
    if (!to) return;
    onSelect(to.row.id);
    body.current?.querySelector<HTMLElement>(`a[data-job="${to.row.id}"]`)?.focus();
  };
  const some = ordered.length > 0;
  useShortcut('j', 'Next row', some ? () => walk(1) : null);
  useShortcut('k', 'Previous row', some ? () => walk(-1) : null);
  const acceptable = present?.row.status === 'queued' && !present.gone;
  useShortcut('a', 'Accept the selected job', acceptable ? () => accept(present.row.id) : null);
  useShortcut('o', 'Open the selected job', present ? () => void navigate({ to: jobPath(present.row.id) }) : null);

  const hold = {
    onPointerEnter: () => onHold(true),
    onPointerLeave: () => onHold(false),
    onFocus: () => onHold(true),
    onBlur: () => onHold(false),
  };
  return (
    <table ref={body} className="list queue-list" aria-label={tab.label} aria-busy={rows === undefined} {...hold}>
      <thead>
        <tr>
          <th scope="col">Job</th>
          <th scope="col">Customer</th>
          <th scope="col">State</th>
          <th scope="col">Due</th>
          <th scope="col">Holder</th>
          <th scope="col" className="end">
            Age
          </th>
        </tr>
      </thead>
      {rows === undefined ? (
        <SkeletonRows />
      ) : (
        groups.map(({ name, rows: found }) => (
          <tbody key={name ?? 'all'}>
            {name && <GroupHead name={name} count={found.length} />}
            {found.map((row) => (
              <JobRow
                key={row.row.id}
                row={row}
                selected={row.row.id === selected}
                onSelect={onSelect}
                selects={selects}
              />
            ))}
          </tbody>
        ))
      )}
    </table>
  );
}

const jobPath = (id: string) => pathTo(deskPages.job, { id });

const GroupHead = ({ name, count }: { name: Group['name']; count: number }) => (
  <tr className={`group ${name}`}>
    <th colSpan={6} scope="colgroup">
      <span className="icon-line">
        {name === 'overdue' && <IconAlertTriangle size={14} aria-hidden />}
        {groupWords[name]} <span className="count numbers">{count}</span>
      </span>
    </th>
  </tr>
);

type RowProps = { row: Row; selected: boolean; onSelect: (id: string) => void; selects: boolean };

function JobRow({ row: { row: job, gone }, selected, onSelect, selects }: RowProps) {
  const { service } = useServiceNames();
  const onClick = (event: MouseEvent) => {
    // A second click, Enter (which is a click without a pointer) and a new tab open it.
    if (!selects || selected || event.detail === 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    onSelect(job.id);
  };
  return (
    <tr className={[selected && 'selected', gone && 'gone'].filter(Boolean).join(' ') || undefined}>
      <td>
        <Link
          to={jobPath(job.id)}
          className="row-link"
          data-job={job.id}
          onClick={onClick}
          onFocus={() => onSelect(job.id)}
          preload={false}
        >
          {job.customer_title}
        </Link>
        <span className="cell-second with-keys">
          <span className="ellipsis">{service(job.service_family, job.service_type)}</span>
          {selected && <RowKeys queued={job.status === 'queued'} />}
        </span>
      </td>
      <td className="ink">{job.account.name}</td>
      <td>
        {gone ? <span className="third">moved on</span> : <Status status={job.status} side="desk" />}
        {job.parked && !gone && <span className="cell-second">parked</span>}
      </td>
      <td className="numbers">{!gone && <Due job={job} />}</td>
      <td>{!gone && <Holder job={job} />}</td>
      <td className="end numbers nowrap">
        <Age at={job.created_at} />
      </td>
    </tr>
  );
}

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

const SkeletonRows = () => (
  <tbody>
    {Array.from({ length: 8 }, (_, row) => (
      <tr key={row} className="late">
        <td>
          <Skeleton height={12} width="60%" />
        </td>
        {Array.from({ length: 5 }, (__, column) => (
          <Fragment key={column}>
            <td>
              <Skeleton height={12} width="50%" />
            </td>
          </Fragment>
        ))}
      </tr>
    ))}
  </tbody>
);
