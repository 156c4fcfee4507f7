import { Box, Button, VisuallyHidden } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { memo, type MouseEvent, type ReactNode, type RefObject, useRef } from 'react';
import { Code } from '../page/code.tsx';
import { type Store, store } from '../page/store.ts';
import { MarkCell } from './mark-cell.tsx';
import { SkeletonRows } from './skeletons.tsx';
import { singleKeysOn, useShortcut, useShortcuts } from '../shell/shortcuts.tsx';

export type Column<Row> = {
  head: string;
  cell: (row: Row) => ReactNode;
  /** Shown below the cell, outside the row's link. */
  below?: (row: Row) => ReactNode;
  end?: boolean;
  width?: string | undefined;
  className?: string;
  /** A column of buttons needs no heading. */
  quiet?: boolean;
  /** The value needs its heading, even on a phone. */
  named?: boolean;
};

export type Group<Row> = { name: string; head: ReactNode; rows: Row[] };

/** The row for keys and clicks, besides the focused one. */
export type Selection = {
  selected: Store<string | undefined>;
  onSelect: (key: string) => void;
  /** The first click selects, the second opens. Otherwise the first one opens. */
  byClick: boolean;
};

/** A column of boxes before the others. */
type Marking<Row> = {
  ids: readonly string[];
  labelOf: (row: Row) => string;
  onMark: (id: string, toHere: boolean) => void;
};

export type ListProps<Row> = {
  /** For screen readers. */
  label: string;
  rows: Row[] | undefined;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  /** The first cell becomes the link of the row. */
  href?: (row: Row) => string;
  groupsOf?: ((rows: Row[]) => Group<Row>[]) | undefined;
  selection?: Selection;
  marking?: Marking<Row> | undefined;
  rowClass?: (row: Row) => string | undefined;
  className?: string;
  tight?: boolean;
};

/** Walked by `j`, `k` and Enter. Loading rows reserve their space. */
export function List<Row>(props: ListProps<Row>) {
  const { label, rows, columns, rowKey, href, rowClass, groupsOf, selection, marking } = props;
  const table = useRef<HTMLTableElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const walk = (step: number) => table.current && walkRows(table.current, step, selection);
  const walkable = href && rows && rows.length > 0;
  useShortcut('j', 'Next row', walkable ? () => walk(1) : null, 'Move');
  useShortcut('k', 'Previous row', walkable ? () => walk(-1) : null, 'Move');
  const groups = rows && (groupsOf?.(rows) ?? [{ name: 'all', head: null, rows }]);
  const width = columns.length + (marking ? 1 : 0);
  const isMarking = marking !== undefined && marking.ids.length > 0;
  const className = classes('list', props.tight && 'tight', isMarking && 'marking', props.className);
  return (
    <table ref={table} className={className} aria-label={label} aria-busy={rows === undefined}>
      <thead className="heard-on-phone">
        <tr>
          {marking && (
            <th scope="col" className="mark">
              <VisuallyHidden>Selected</VisuallyHidden>
            </th>
          )}
          {columns.map(({ head, end, width, quiet }) => (
            <th key={head} scope="col" className={end ? 'end' : undefined} style={{ width }}>
              {quiet ? <VisuallyHidden>{head}</VisuallyHidden> : head}
            </th>
          ))}
        </tr>
      </thead>
      {groups?.map(({ name, head, rows: inGroup }) => (
        <tbody key={name}>
          {head && (
            <tr className={`group ${name}`}>
              <th colSpan={width} scope="colgroup">
                {head}
              </th>
            </tr>
          )}
          {inGroup.map((row) => {
            const id = rowKey(row);
            return (
              <ListRow
                key={id}
                {...{ id, row, columns, href, rowClass, latest }}
                selected={selection?.selected}
                isMarked={marking?.ids.includes(id)}
                markLabelOf={marking?.labelOf}
              />
            );
          })}
        </tbody>
      )) ?? <SkeletonRows columns={width} />}
    </table>
  );
}

const classes = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ') || undefined;

/** Starts at the selected or focused row, or selects the first. */
function walkRows(table: HTMLTableElement, step: number, selection: Selection | undefined): void {
  const links = [...table.querySelectorAll<HTMLElement>('a.row-link')];
  const isFocused = table.contains(document.activeElement);
  const at = links.findIndex((link) =>
    selection ? link.dataset['row'] === selection.selected.read() : link === document.activeElement,
  );
  links[isFocused ? Math.min(Math.max(at + step, 0), links.length - 1) : Math.max(at, 0)]?.focus();
}

type RowProps<Row> = Pick<ListProps<Row>, 'columns' | 'href' | 'rowClass'> & {
  id: string;
  row: Row;
  selected: Selection['selected'] | undefined;
  isMarked: boolean | undefined;
  markLabelOf: Marking<Row>['labelOf'] | undefined;
  /** For what a row does, which changes with each render of the list. */
  latest: Latest<Row>;
};
type Latest<Row> = RefObject<ListProps<Row>>;

const nothing: Selection['selected'] = store<string | undefined>(undefined);

/** Rendered only if its row changes, so that a step renders two rows of 400, and not the list. */
const ListRow = memo(function ListRow<Row>(props: RowProps<Row>) {
  const { id, row, columns, href, rowClass, selected, isMarked, markLabelOf, latest } = props;
  const isSelected = (selected ?? nothing).useIs(id);
  const onMark = (toHere: boolean) => latest.current.marking?.onMark(id, toHere);
  return (
    <tr className={classes(isSelected && 'selected', isMarked && 'marked', rowClass?.(row))}>
      {markLabelOf && <MarkCell label={markLabelOf(row)} isMarked={isMarked ?? false} onMark={onMark} />}
      {columns.map(({ head, cell, below, end, className, named }, index) => (
        <td key={head} className={classes(end && 'end', className)} data-head={named ? head : undefined}>
          {index > 0 || !href ? (
            cell(row)
          ) : selected === undefined ? (
            <Link to={href(row)} className="row-link">
              {cell(row)}
            </Link>
          ) : (
            <SelectingLink to={href(row)} id={id} latest={latest}>
              {cell(row)}
            </SelectingLink>
          )}
          {below?.(row)}
        </td>
      ))}
    </tr>
  );
}) as <Row>(props: RowProps<Row>) => ReactNode;

type LinkProps<Row> = { to: string; id: string; latest: Latest<Row>; children: ReactNode };

/** Without the router's link, which looks at each change of the address whether it leads to it. */
function SelectingLink<Row>({ to, id, latest, children }: LinkProps<Row>) {
  const navigate = useNavigate();
  // Before the focus that a press brings, which selects the row.
  const wasSelected = useRef(false);
  const onClick = (event: MouseEvent) => {
    const { selection, marking } = latest.current;
    const isModified = event.metaKey || event.ctrlKey || event.altKey || event.shiftKey;
    if (isModified && !(marking && event.shiftKey && event.detail > 0)) return;
    event.preventDefault();
    if (isModified) marking?.onMark(id, true);
    // Enter, which is a click without a pointer, opens the row at once.
    else if (event.detail === 0 || wasSelected.current || !selection?.byClick) void navigate({ to });
    else selection.onSelect(id);
  };
  return (
    <a
      href={to}
      className="row-link"
      data-row={id}
      onPointerDown={() => (wasSelected.current = latest.current.selection?.selected.read() === id)}
      onClick={onClick}
      onFocus={() => latest.current.selection?.onSelect(id)}
    >
      {children}
    </a>
  );
}

const foot = { gap: 12, padding: '12px 2px', flexWrap: 'nowrap' } as const;

type FootProps = {
  shown: string;
  more?: (() => void) | undefined;
  loading?: boolean;
  /** Off where the page lists its keys itself. */
  keys?: boolean;
};

export function ListFoot({ shown, more, loading = false, keys: named = true }: FootProps) {
  const walked = useShortcuts().some(({ keys }) => keys === 'j') && named;
  return (
    <div className="row small second" style={foot}>
      <span>{shown}</span>
      {walked && singleKeysOn() && (
        <span className="wide-only">
          <kbd>j</kbd> <kbd>k</kbd> to move, <kbd>↵</kbd> to open
        </span>
      )}
      {more && (
        <Button variant="default" size="xs" h={28} onClick={more} loading={loading}>
          Show more
        </Button>
      )}
    </div>
  );
}

export const empty = { padding: '40px 0', gap: 14, alignItems: 'flex-start', maxWidth: 620 };

export const Empty = ({ children, action, command }: { children: ReactNode; action?: ReactNode; command?: string }) => (
  <div className="stack" style={empty}>
    <Box component="p" fz={16}>
      {children}
    </Box>
    {action}
    {command && (
      <>
        <span className="small second">From a terminal:</span>
        <Box w="100%">
          <Code>{command}</Code>
        </Box>
      </>
    )}
  </div>
);
