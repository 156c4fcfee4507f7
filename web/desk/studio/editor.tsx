import { type CSSProperties, useEffect, useRef } from 'react';
import { rangeOf, type Spot } from './spot.ts';

type Props = {
  file: string;
  text: string;
  readOnly: boolean;
  wrongLines: number[];
  spot: Spot | null;
  onSpot: () => void;
  onChange: (text: string) => void;
};

/** A plain text field with numbered lines. It is as large as its text, and its frame scrolls. */
export function Editor({ file, text, readOnly, wrongLines, spot, onSpot, onChange }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const lines = text.split('\n');
  const widest = lines.reduce((most, { length }) => Math.max(most, length), 0);
  useEffect(() => {
    if (!spot || !field.current || !frame.current) return;
    field.current.focus({ preventScroll: true });
    field.current.setSelectionRange(...rangeOf(field.current.value, spot));
    const line = field.current.scrollHeight / field.current.value.split('\n').length;
    frame.current.scrollTo({ top: (spot.line - 4) * line });
    frame.current.scrollIntoView({ block: 'nearest' });
    onSpot();
  }, [spot, onSpot]);
  return (
    <div ref={frame} className="mono editor">
      <pre className="editor-numbers" aria-hidden>
        {lines.map((_, at) => (
          <span key={at} data-wrong={wrongLines.includes(at + 1) || undefined}>{`${at + 1}\n`}</span>
        ))}
      </pre>
      <textarea
        ref={field}
        aria-label={`Text of ${file}`}
        className="editor-text"
        style={{ '--columns': widest + 4 } as CSSProperties}
        rows={Math.max(lines.length, 12)}
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        readOnly={readOnly}
        placeholder={text === '' ? 'This file does not exist. Write its first line.' : ''}
        value={text}
        onChange={({ currentTarget: { value } }) => onChange(value)}
      />
    </div>
  );
}
