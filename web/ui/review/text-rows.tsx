import { Box } from '@mantine/core';
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Pin } from './pins.tsx';
import { join, meets, type Row, rowAfter } from './text-view.ts';
import type { StageProps } from './view-file.ts';

type Pinned = { id: string | null; number: number; from: number; isSelected: boolean };
/** What the rows of a part show besides their text. The same object while nothing in the part changes. */
type Shown = { current: number; marked: Row[]; pins: Pinned[]; canPlace: boolean };
type Actions = {
  mark: (row: Row, extend: boolean) => void;
  focus: (row: Row) => void;
  move: (event: KeyboardEvent<HTMLElement>) => void;
  select: (id: string) => void;
};
const ShownRows = createContext<Shown>({ current: 1, marked: [], pins: [], canPlace: false });
const RowActions = createContext<RefObject<Actions> | null>(null);

export type Part = Row & { rows: ReactNode };
type Props = Omit<StageProps, 'file'> & { parts: Part[]; label: string; className: string; width?: string };

/** Rows with the numbers of their lines: one tab stop with keys inside, and the comments on them. */
export function TextRows({ parts, label, className, width, ...props }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const { current, extended, actions } = useRowKeys(list, props);
  const { comments, selected, writing } = props;
  const place = comments.find(({ id }) => id === selected)?.place?.lines;
  const first = place?.from;
  useEffect(() => {
    if (first !== undefined) rowOf(list.current, first)?.scrollIntoView({ block: 'center' });
  }, [first, selected]);
  const marked = [writing?.place?.lines, place, extended].filter((lines) => lines !== undefined && lines !== null);
  const pins = comments.flatMap(({ id, number, place }): Pinned[] =>
    place?.lines && id !== writing?.id ? [{ id, number, from: place.lines.from, isSelected: id === selected }] : [],
  );
  const written = writing?.place?.lines;
  if (written) pins.push({ id: null, number: writing.number, from: written.from, isSelected: true });
  return (
    <RowActions value={actions}>
      <Box ref={list} role="group" aria-label={label} className={`text-rows ${className}`} w={width}>
        {parts.map((part) => (
          <RowPart
            key={part.from}
            rows={part.rows}
            lines={part.to - part.from + 1}
            shown={{
              current,
              marked: marked.filter((lines) => meets(part, lines)),
              pins: pins.filter(({ from }) => part.from <= from && from <= part.to),
              canPlace: props.onPlace !== null,
            }}
          />
        ))}
      </Box>
    </RowActions>
  );
}

/** Many rows, which the browser lays out when they come near. */
function RowPart({ rows, lines, shown }: { rows: ReactNode; lines: number; shown: Shown }) {
  const key = JSON.stringify(shown);
  const same = useMemo(() => JSON.parse(key) as Shown, [key]);
  return (
    <ShownRows value={same}>
      <ol className="row-part" style={{ containIntrinsicHeight: `auto ${lines * 22}px` }}>
        {rows}
      </ol>
    </ShownRows>
  );
}

type RowProps = Row & {
  /** The number of the last line before the next row. */
  until?: number;
  className?: string;
  /** The first row: it is the tab stop of line 1, even if it begins later. */
  isFirst?: boolean;
  /** Shown in place of the line numbers. */
  number?: ReactNode;
  name?: string;
  children: ReactNode;
};

export function TextRow({ from, to, until = to, className = '', isFirst = false, children, ...own }: RowProps) {
  const { current, marked, pins, canPlace } = useContext(ShownRows);
  const actions = useContext(RowActions)?.current;
  const isMarked = marked.some((lines) => meets({ from, to: until }, lines));
  const { name, number: ownNumber } = {
    ...(from === to
      ? { name: `line ${from}`, number: from }
      : { name: `lines ${from} to ${to}`, number: `${from}–${to}` }),
    ...own,
  };
  return (
    <li className={`line ${className}${isMarked ? ' marked' : ''}`} data-from={from} data-to={to} data-until={until}>
      <button
        type="button"
        className="line-number"
        tabIndex={current === from || (isFirst && current === 1) ? 0 : -1}
        aria-label={canPlace ? `Comment on ${name}` : name}
        aria-disabled={!canPlace}
        onClick={(event) => actions?.mark({ from, to }, event.shiftKey)}
        onFocus={() => actions?.focus({ from, to })}
        onKeyDown={(event) => actions?.move(event)}
      >
        {ownNumber}
      </button>
      {children}
      {pins.map(
        ({ id, number, from: line, isSelected }) =>
          from <= line &&
          line <= until &&
          (id === null ? (
            <span key="new" className="pin selected">
              {number}
            </span>
          ) : (
            <Pin
              key={id}
              number={number}
              label={`Comment ${number}`}
              isSelected={isSelected}
              onClick={() => actions?.select(id)}
            />
          )),
      )}
    </li>
  );
}

const rowsOf = (list: HTMLElement | null) => [...(list?.querySelectorAll<HTMLElement>('.line') ?? [])];
const linesOfRow = ({ dataset: { from, to } }: HTMLElement): Row => ({ from: Number(from), to: Number(to) });
const rowOf = (list: HTMLElement | null, line: number) =>
  rowsOf(list).find(({ dataset: { until } }) => line <= Number(until));

/** Arrows go by rows, with shift they extend a range, which Enter or a click comments on. */
function useRowKeys(list: RefObject<HTMLElement | null>, { writing, onPlace, onSelect }: Omit<StageProps, 'file'>) {
  const [range, setRange] = useState({ current: 1, anchor: { from: 1, to: 1 }, lines: { from: 1, to: 1 } });
  const isExtended = range.lines.from !== range.anchor.from || range.lines.to !== range.anchor.to;
  const mark = (row: Row, extend: boolean) => {
    const anchor = writing?.place?.lines ?? range.anchor;
    const isWithin = isExtended && meets(row, range.lines);
    const lines = extend ? join(anchor, row) : isWithin ? range.lines : row;
    setRange({ current: row.from, anchor: extend ? anchor : row, lines: extend ? anchor : row });
    onPlace?.({ lines });
  };
  const move = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = rowsOf(list.current);
    const own = event.currentTarget.closest<HTMLElement>('.line');
    const page = Math.max(
      Math.floor((list.current?.parentElement?.clientHeight ?? 0) / (own?.offsetHeight || 22)) - 1,
      1,
    );
    const next = own && rows[rowAfter(event.key, rows.indexOf(own), rows.length, page) ?? -1];
    if (!next) return;
    event.preventDefault();
    const row = linesOfRow(next);
    const anchor = event.shiftKey ? range.anchor : row;
    setRange({ current: row.from, anchor, lines: join(anchor, row) });
    next.querySelector('button')?.focus({ preventScroll: true });
    next.scrollIntoView({ block: 'nearest' });
  };
  const focus = ({ from }: Row) => setRange((now) => (now.current === from ? now : { ...now, current: from }));
  const actions = useRef<Actions>({ mark, focus, move, select: onSelect });
  actions.current = { mark, focus, move, select: onSelect };
  return { current: range.current, extended: isExtended ? range.lines : null, actions };
}
