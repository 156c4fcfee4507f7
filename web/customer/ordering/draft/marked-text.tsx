import { type ComponentProps, type MouseEvent, type UIEvent, useRef } from 'react';
import { piecesOf, type Span } from './spans.ts';

type Props = Omit<ComponentProps<'textarea'>, 'onChange' | 'value'> & {
  words: string;
  onWords: (words: string) => void;
  spans: Span[];
  /** The field whose words are pointed at. */
  active: string | null;
  onActive: (field: string | null) => void;
  onFiles: (files: File[]) => void;
};

/** A text field over its own text: the text below has the marks and gives the height. */
export function MarkedText({ words, onWords, spans, active, onActive, onFiles, ...field }: Props) {
  const below = useRef<HTMLDivElement>(null);
  const spanAtCaret = ({ currentTarget }: UIEvent<HTMLTextAreaElement>) => {
    const { selectionStart: at } = currentTarget;
    onActive(spans.find(({ start, end }) => start <= at && at <= end && end > 0)?.requirement ?? null);
  };
  const spanAtPointer = ({ clientX: x, clientY: y }: MouseEvent) => {
    const isThere = ({ left, right, top, bottom }: DOMRect) => left <= x && x <= right && top <= y && y <= bottom;
    const marks = [...(below.current?.querySelectorAll<HTMLElement>('[data-requirement]') ?? [])];
    const mark = marks.find((each) => [...each.getClientRects()].some(isThere));
    onActive(mark?.dataset['requirement'] ?? null);
  };
  return (
    <div className="marked-text">
      <div className="marked-below" ref={below} aria-hidden>
        {piecesOf(words, spans).map(({ text, span }, index) =>
          span ? (
            <mark
              key={index}
              data-requirement={span.requirement}
              data-accepted={span.accepted || undefined}
              data-active={span.requirement === active || undefined}
            >
              {text}
            </mark>
          ) : (
            text
          ),
        )}
        {'\n'}
      </div>
      <textarea
        maxLength={20_000}
        value={words}
        onChange={(event) => onWords(event.currentTarget.value)}
        onSelect={spanAtCaret}
        onMouseMove={spanAtPointer}
        onMouseLeave={() => onActive(null)}
        onBlur={() => onActive(null)}
        onDrop={(event) => {
          if (event.dataTransfer.files.length === 0) return;
          event.preventDefault();
          onFiles([...event.dataTransfer.files]);
        }}
        {...field}
      />
    </div>
  );
}
