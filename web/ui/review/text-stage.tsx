import { Flex, NativeSelect, SegmentedControl, Skeleton } from '@mantine/core';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { encodings, isEncoding } from '../../../contract/files/decode-text.ts';
import { Failure } from '../page/page.tsx';
import { type Part, TextRow, TextRows } from './text-rows.tsx';
import { settingOf } from './text-view.ts';
import { useDecoded } from './use-decoded.ts';
import type { StageProps } from './view-file.ts';
import { part } from '../page/part.tsx';

/** A text with its lines to comment on: as it is written, or set as an article. */
export function TextStage(props: StageProps) {
  const { file, onDetail } = props;
  const { lines, detail, limits, encoding, error, retry } = useDecoded(file);
  const [view, setView] = useState<string | null>(null);
  const setting = lines ? settingOf(file.content_type, lines) : null;
  const isSet = setting !== null && (view ? view === 'Set' : setting === 'first');
  const tell = useEffectEvent((words: string) => onDetail?.(words));
  useEffect(() => {
    if (detail) tell(detail);
  }, [detail]);
  return (
    <div className="stage stage-text" data-testid="stage">
      <Flex className="line-below small second" align="center" gap={10} px={16} py={6} wrap="wrap">
        <span role="status">{limits.join(' ')}</span>
        <span className="push">
          <EncodingChoice {...encoding} />
        </span>
        {setting && (
          <SegmentedControl
            size="xs"
            aria-label="How the text is shown"
            data={['Set', 'Source']}
            value={isSet ? 'Set' : 'Source'}
            onChange={setView}
          />
        )}
      </Flex>
      <div className="text-scroller">
        {error && <Failure error={error} retry={retry} />}
        {!lines && !error && <Skeleton height={240} />}
        {lines && (isSet ? <SetText {...props} lines={lines} /> : <Source {...props} lines={lines} />)}
      </div>
    </div>
  );
}

export const EncodingChoice = ({ detected, chosen, choose }: ReturnType<typeof useDecoded>['encoding']) => (
  <NativeSelect
    size="xs"
    aria-label="Encoding"
    value={chosen ?? ''}
    onChange={({ currentTarget: { value } }) => choose(isEncoding(value) ? value : undefined)}
    data={[
      { value: '', label: detected ? `Detected: ${encodings[detected]}` : 'Detected' },
      ...Object.entries(encodings).map(([value, label]) => ({ value, label })),
    ]}
  />
);

/** How many lines the browser lays out together. */
const linesOfPart = 200;

function Source({ lines, ...props }: StageProps & { lines: string[] }) {
  const parts = useMemo(() => sourceParts(lines), [lines]);
  const longest = useMemo(() => lines.reduce((most, { length }) => Math.max(most, length), 0), [lines]);
  return (
    // As wide as the longest line before it is laid out, so that the width stays while it is scrolled.
    <TextRows
      {...props}
      label="Lines"
      className="source"
      parts={parts}
      width={`max(100%, ${Math.min(longest, 5_000) + 14}ch)`}
    />
  );
}

const sourceParts = (lines: string[]): Part[] =>
  Array.from({ length: Math.ceil(lines.length / linesOfPart) }, (_, index) => {
    const [start, end] = [index * linesOfPart, Math.min((index + 1) * linesOfPart, lines.length)];
    const row = (line: string, at: number) => (
      <TextRow key={at} from={start + at + 1} to={start + at + 1}>
        <span dir="auto">{line}</span>
      </TextRow>
    );
    return { from: start + 1, to: end, rows: () => lines.slice(start, end).map(row) };
  });

const isEarly = false;
const Markdown = part(() => import('./markdown.tsx'), 'Markdown', null, isEarly);

/** Markdown and articles as they are read. */
function SetText({ file: { content_type: type }, lines, ...props }: StageProps & { lines: string[] }) {
  const parts = useMemo(() => {
    const rows = () => (type === 'text/markdown' ? <Markdown lines={lines} /> : lines.map(articleRow));
    return [{ from: 1, to: lines.length, rows }];
  }, [type, lines]);
  return <TextRows {...props} label="Text" className="set-text" parts={parts} />;
}

const articleRow = (line: string, index: number) => (
  <TextRow key={index} from={index + 1} to={index + 1}>
    <p dir="auto">{line}</p>
  </TextRow>
);
