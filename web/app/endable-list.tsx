import { type ReactNode, useState } from 'react';
import { List, type ListProps } from '../ui/list/list.tsx';
import { RowButton } from '../ui/list/row-button.tsx';
import type { Operation } from './api.ts';
import { ConfirmOperation, type Question } from './confirm-operation.tsx';

type Props<Row, K extends Operation> = ListProps<Row> & {
  /** Adds the list's name as a heading. */
  heading?: boolean;
  /** The word on the button: "End", "Revoke", "Delete". */
  end: string;
  /** For screen readers. */
  endLabel?: (row: Row) => string;
  /** What stands in the last column of rows without the button. */
  instead?: (row: Row) => ReactNode;
  canEnd?: (row: Row) => boolean;
  /** Other buttons of the row, before this one. */
  buttons?: (row: Row) => ReactNode;
  actionsWidth?: string;
  /** What is asked before the operation runs. */
  ask: (row: Row) => Question<K>;
  /** Below the list. */
  children?: ReactNode;
};

/** A list with a button in each row that ends the row's subject, after a question. */
export function EndableList<Row, K extends Operation>({
  heading = false,
  end,
  endLabel,
  instead,
  canEnd = () => true,
  buttons,
  actionsWidth,
  ask,
  children,
  ...list
}: Props<Row, K>) {
  const [ending, setEnding] = useState<Row | null>(null);
  const actions = (row: Row) =>
    canEnd(row) ? (
      <span style={{ whiteSpace: 'nowrap' }}>
        {buttons?.(row)}
        <RowButton destructive label={endLabel?.(row)} onClick={() => setEnding(row)}>
          {end}
        </RowButton>
      </span>
    ) : (
      instead?.(row)
    );
  const last = { head: 'Actions', end: true, quiet: true, cell: actions, width: actionsWidth };
  const content = (
    <>
      <List {...list} columns={[...list.columns, last]} />
      {children}
      {ending && <ConfirmOperation destructive {...ask(ending)} onClose={() => setEnding(null)} />}
    </>
  );
  if (!heading) return content;
  return (
    <section aria-label={list.label}>
      <h2 className="section-title">{list.label}</h2>
      {content}
    </section>
  );
}
