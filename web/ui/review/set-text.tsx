import { useMemo } from 'react';
import { part } from '../page/part.tsx';
import { TextRow, TextRows } from './text-rows.tsx';
import type { StageProps } from './view-file.ts';

const isEarly = false;
const Markdown = part(() => import('./markdown.tsx'), 'Markdown', null, isEarly);

/** Markdown and articles as they are read. */
export function SetText({ file: { content_type: type }, lines, ...props }: StageProps & { lines: string[] }) {
  const rows = useMemo(
    () => (type === 'text/markdown' ? <Markdown lines={lines} /> : lines.map(articleRow)),
    [type, lines],
  );
  return <TextRows {...props} label="Text" className="set-text" parts={[{ from: 1, to: lines.length, rows }]} />;
}

const articleRow = (line: string, index: number) => (
  <TextRow key={index} from={index + 1} to={index + 1}>
    <p dir="auto">{line}</p>
  </TextRow>
);
