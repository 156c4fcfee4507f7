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
import { flushSync } from 'react-dom';
import { Pin } from './pins.tsx';
import { join, lineAfter, meets, type Row } from './text-view.ts';
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

export type Part = Row & { rows: () => ReactNode };
type Props = Omit<StageProps, 'file'> & { parts: Part[]; label: string; className: string; width?: string };

/** Rows with the numbers of their lines: one tab stop with keys inside, and the comments on them. */
export function TextRows({ parts, label, className, width, ...props }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const { current, extended, actions } = useRowKeys(list, parts.at(-1)?.to ?? 1, props);
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
            part={part}
            isKept={
              parts.length <= mostWhole ||
              [current, first].some((line) => line && meets(part, { from: line, to: line }))
            }
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

/** Up to so many parts are in the page as a whole, so that the search of the browser finds all. */
const mostWhole = 25;
/** Of a line in the source. */
const lineHeight = 22;

/** Many rows, which the browser lays out when they come near. Of a long text they are not there before. */
function RowPart({ part, isKept, shown }: { part: Part; isKept: boolean; shown: Shown }) {
  const list = useRef<HTMLOListElement>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const root = list.current?.closest('.text-scroller') ?? null;
    const observer = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      root,
      rootMargin: '2000px',
    });
    if (list.current) observer.observe(list.current);
    return () => observer.disconnect();
  }, []);
  const isThere = isKept || isNear;
  const rows = useMemo(() => (isThere ? part.rows() : null), [isThere, part]);
  const key = JSON.stringify(shown);
  const same = useMemo(() => JSON.parse(key) as Shown, [key]);
  const height = (part.to - part.from + 1) * lineHeight;
  return (
    <ShownRows value={same}>
      <ol ref={list} className="row-part" style={isThere ? { containIntrinsicHeight: `auto ${height}px` } : { height }}>
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
  const actions = useContext(RowActions);
  const isMarked = marked.some((lines) => meets({ from, to: until }, lines));
  const { name, number: ownNumber } = {
    ...(from === to
      ? { name: `line ${from}`, number: from }
      : { name: `lines ${from}–${to}`, number: `${from}–${to}` }),
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
        onClick={(event) => actions?.current.mark({ from, to }, event.shiftKey)}
        onFocus={() => actions?.current.focus({ from, to })}
        onKeyDown={(event) => actions?.current.move(event)}
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
              onClick={() => actions?.current.select(id)}
            />
          )),
      )}
    </li>
  );
}

const linesOfRow = ({ dataset: { from, to } }: HTMLElement): Row => ({ from: Number(from), to: Number(to) });
const rowOf = (list: HTMLElement | null, line: number) =>
  [...(list?.querySelectorAll<HTMLElement>('.line') ?? [])].find(({ dataset: { until } }) => line <= Number(until));

/** Arrows go by rows, with shift they extend a range, which Enter or a click comments on. */
function useRowKeys(
  list: RefObject<HTMLElement | null>,
  last: number,
  { writing, onPlace, onSelect }: Omit<StageProps, 'file'>,
) {
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
    const own = event.currentTarget.closest<HTMLElement>('.line');
    if (!own || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.floor((list.current?.parentElement?.clientHeight ?? 0) / own.offsetHeight);
    const { from } = linesOfRow(own);
    const line = lineAfter(event.key, { from, to: Number(own.dataset.until) }, last, Math.max(page - 1, 1));
    if (line === null) return;
    event.preventDefault();
    // Brings the part of the line into the page.
    flushSync(() => setRange((now) => ({ ...now, current: line })));
    const next = rowOf(list.current, line);
    if (!next) return;
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
