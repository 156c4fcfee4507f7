import { useMemo } from 'react';
import { part } from '../page/part.tsx';
import { TextRow, TextRows } from './text-rows.tsx';
import type { StageProps } from './view-file.ts';

const isEarly = false;
const Markdown = part(() => import('./markdown.tsx'), 'Markdown', null, isEarly);

/** Markdown and articles as they are read. */
export function SetText({ file: { content_type: type }, lines, ...props }: StageProps & { lines: string[] }) {
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
