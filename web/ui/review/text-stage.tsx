import { Box, Skeleton } from '@mantine/core';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { Failure } from '../page/page.tsx';
import { shown, useText } from '../preview/previewed.ts';
import { Pin } from './pins.tsx';
import type { StageProps } from './view-file.ts';

export function TextStage(props: StageProps) {
  const { file, onDetail } = props;
  const { data, error, refetch } = useText(file.id, file.url);
  const tell = useEffectEvent((words: string) => onDetail?.(words));
  const lines = data?.replace(/(\r\n?|\n)$/, '').split(/\r\n?|\n/);
  const count = lines?.length;
  useEffect(() => {
    if (count !== undefined) tell(count === 1 ? '1 line' : `${count.toLocaleString()} lines`);
  }, [count]);
  return (
    <Box className="stage stage-text" p="8px 60px 24px" data-testid="stage">
      {error && <Failure error={error} retry={() => void refetch()} />}
      {!lines && !error && <Skeleton height={240} />}
      {lines && <Lines {...props} lines={lines} />}
      {lines && file.size_bytes > shown.text && (
        <p className="second small">Only the beginning is shown. Download the file to see all of it.</p>
      )}
    </Box>
  );
}

/** A click on a number marks its line, with shift all up to it. */
function Lines({ lines, comments, selected, onSelect, writing, onPlace }: StageProps & { lines: string[] }) {
  const list = useRef<HTMLOListElement>(null);
  const [current, setCurrent] = useState(1);
  const place = comments.find(({ id }) => id === selected)?.place?.lines;
  const from = place?.from;
  useEffect(() => {
    if (from !== undefined) list.current?.children[from - 1]?.scrollIntoView({ block: 'center' });
  }, [from, selected]);
  const mark = (line: number, extend: boolean) => {
    const start = extend ? (writing?.place?.lines?.from ?? current) : line;
    setCurrent(line);
    onPlace?.({ lines: { from: Math.min(start, line), to: Math.max(start, line) } });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = Math.min(Math.max(current + by, 1), lines.length);
    setCurrent(next);
    list.current?.children[next - 1]?.querySelector('button')?.focus();
  };
  return (
    <Box component="ol" ref={list} w="max-content" miw="100%" ff="monospace" fz={12.5} lh="22px">
      {lines.map((line, index) => {
        const number = index + 1;
        const here = comments.filter(({ id, place }) => place?.lines?.from === number && id !== writing?.id);
        const isMarked = covers(writing?.place?.lines, number) || covers(place, number);
        return (
          <li key={number} className={isMarked ? 'line marked' : 'line'}>
            <button
              type="button"
              className="line-number"
              tabIndex={number === current ? 0 : -1}
              aria-label={`Comment on line ${number}`}
              disabled={!onPlace}
              onClick={(event) => mark(number, event.shiftKey)}
              onKeyDown={onKeyDown}
            >
              {number}
            </button>
            <span>{line}</span>
            {writing?.place?.lines?.from === number && <span className="pin selected">{writing.number}</span>}
            {here.map((comment) => (
              <Pin
                key={comment.id}
                number={comment.number}
                label={`Comment ${comment.number}`}
                isSelected={comment.id === selected}
                onClick={() => onSelect(comment.id)}
              />
            ))}
          </li>
        );
      })}
    </Box>
  );
}

const covers = (lines: { from: number; to: number } | undefined, number: number): boolean =>
  lines !== undefined && lines.from <= number && number <= lines.to;
