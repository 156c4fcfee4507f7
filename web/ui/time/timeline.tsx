import type { ReactNode } from 'react';
import { Time } from './time.tsx';

export type TimelineEntry = {
  id: string;
  title: ReactNode;
  detail?: ReactNode;
  at: string;
  tone?: 'you' | 'yours' | 'good' | 'bad' | undefined;
};

/** Newest first. Screen readers announce new entries. */
export const Timeline = ({ entries }: { entries: TimelineEntry[] }) => (
  <ol className="timeline" aria-live="polite">
    {entries.map(({ id, title, detail, at, tone }) => (
      <li key={id} className={tone}>
        <span>{title}</span>
        <Time at={at} />
        {detail && <span className="detail">{detail}</span>}
      </li>
    ))}
  </ol>
);
