import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Copy } from '../page/code.tsx';

type Props = { children: ReactNode; texts: { label: string; text: string }[]; onClose: () => void };

/** Milliseconds in which the answer to what the person sent themselves empties its field. */
const patience = 1_500;

/** Says why something can no longer be sent, and keeps what was written of it until the person closes it. */
export function KeptTexts({ children, texts, onClose }: Props) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), patience);
    return () => clearTimeout(timer);
  }, []);
  const note = useRef<HTMLDivElement>(null);
  // The field of these words is gone, and the page may stand where it was.
  useEffect(() => {
    note.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  if (!isShown) return null;
  return (
    <div ref={note} className="note turn stack-small" role="alert" style={{ scrollMargin: 96 }}>
      <div className="row between">
        <strong>{children}</strong>
        <Button size="xs" variant="default" onClick={onClose}>
          {texts.length > 0 ? 'Discard' : 'Close'}
        </Button>
      </div>
      {texts.map(({ label, text }) => (
        <div key={label}>
          <span className="row small second">
            {label}, not sent <Copy text={text} label={`Copy: ${label}`} />
          </span>
          <p className="prose" dir="auto">
            {text}
          </p>
        </div>
      ))}
    </div>
  );
}
