import { Link } from '@tanstack/react-router';
import { Button, Skeleton, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { singleKeysOn, useShortcut, useShortcuts } from '../shell/shortcuts.tsx';

export type Column<Row> = {
  head: string;
  cell: (row: Row) => ReactNode;
  end?: boolean;
  width?: string;
  /** Buttons: what they do needs no head over it. */
  quiet?: boolean;
  /** A value that says nothing by itself: its head goes before it on a phone, which has no heads. */
  named?: boolean;
};

type Props<Row> = {
  /** What the rows are, for people who cannot see the page. */
  label: string;
  rows: Row[] | undefined;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  /** Where a row leads: its first cell becomes the link of the whole row. */
  href?: (row: Row) => string;
  tight?: boolean;
};

/** A table that is walked by `j`, `k` and Enter. While its rows load it has their size; a refetch keeps them. */
export function List<Row>({ label, rows, columns, rowKey, href, tight = false }: Props<Row>) {
  const body = useRef<HTMLTableSectionElement>(null);
  const walk = (step: number) => {
    const links = [...(body.current?.querySelectorAll<HTMLElement>('a.row-link') ?? [])];
    const at = links.findIndex((link) => link === document.activeElement);
    links[Math.min(Math.max(at + step, 0), links.length - 1)]?.focus();
  };
  const walkable = href && rows && rows.length > 0;
  useShortcut('j', 'Next row', walkable ? () => walk(1) : null);
  useShortcut('k', 'Previous row', walkable ? () => walk(-1) : null);
  return (
    <table className={tight ? 'list tight' : 'list'} aria-label={label} aria-busy={rows === undefined}>
      <thead>
        <tr>
          {columns.map(({ head, end, width, quiet }) => (
            <th key={head} scope="col" className={end ? 'end' : undefined} style={{ width }}>
              {quiet ? <VisuallyHidden>{head}</VisuallyHidden> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows?.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ head, cell, end, named }, index) => (
              <td key={head} className={end ? 'end' : undefined} data-head={named ? head : undefined}>
                {index === 0 && href ? (
                  <Link to={href(row)} className="row-link">
                    {cell(row)}
                  </Link>
                ) : (
                  cell(row)
                )}
              </td>
            ))}
          </tr>
        )) ?? <SkeletonRows columns={columns.length} />}
      </tbody>
    </table>
  );
}

const SkeletonRows = ({ columns }: { columns: number }) =>
  Array.from({ length: 5 }, (_, row) => (
    <tr key={row} className="late">
      {Array.from({ length: columns }, (_, column) => (
        <td key={column}>
          <Skeleton height={12} width={column === 0 ? '60%' : '40%'} />
        </td>
      ))}
    </tr>
  ));

type FootProps = { shown: string; more?: (() => void) | undefined; loading?: boolean };

/** Below a list: how much is shown, how it is walked where its rows lead somewhere, and what brings more. */
export function ListFoot({ shown, more, loading = false }: FootProps) {
  const walked = useShortcuts().some(({ keys }) => keys === 'j');
  return (
    <div className="list-foot">
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
