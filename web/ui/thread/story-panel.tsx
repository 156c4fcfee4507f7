import { Box } from '@mantine/core';
import { Fragment, type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { useNow } from '../time/now.ts';
import { useUtc } from '../time/time.tsx';
import { foldedCount, type StoryEntry } from './story.ts';
import { Entry } from './story-entry.tsx';
import { useArrivals, useAtEnd } from './use-arrivals.ts';

type Props = {
  /** Beside the title, in second ink. */
  about: string;
  beside?: ReactNode;
  /** Events and messages, oldest first. Mount the panel once both are loaded. */
  entries: StoryEntry[];
  /** The entry below "New since you were here". It stays the same while the page is open. */
  newFrom: string | null;
  /** Offered for messages with `takeBackUntil`. */
  onTakeBack?: (id: string) => void;
  /** Called with the last message once the end of the story is looked at. */
  onSeen?: (messageId: string) => void;
  /** For `over` of the composer, so that files can be dropped anywhere on the panel. */
  ref?: Ref<HTMLElement>;
  /** The composer. */
  children: ReactNode;
};

const newBelow = { position: 'sticky', bottom: 16, zIndex: 2, display: 'block', margin: '0 auto 8px' } as const;

/** What happened and was said on a job. Knows no API: texts, names and files come as they are shown. */
export function StoryPanel({ about, beside, entries, newFrom, onTakeBack, onSeen, ref, children }: Props) {
  const now = useNow(30_000);
  useUtc();
  const [unfolded, setUnfolded] = useState(false);
  const [first] = useState(() => new Set(entries.map(({ id }) => id)));
  const list = useRef<HTMLOListElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const atEnd = useAtEnd(end);
  const below = useArrivals(entries, list);
  const lastMessage = entries.findLast(({ kind }) => kind === 'message')?.id;
  const seen = useRef(onSeen);
  seen.current = onSeen;
  useEffect(() => {
    if (atEnd && lastMessage) seen.current?.(lastMessage);
  }, [atEnd, lastMessage]);
  // Entries that arrive do not fold others away.
  const [folded] = useState(() => foldedCount(entries, newFrom));
  const shown = unfolded ? entries : entries.slice(folded);
  return (
    <section className="panel story-panel" aria-label="Story" ref={ref}>
      <div className="panel-head">
        <h2>Story</h2>
        <span className="second">{about}</span>
        <span className="push row">
          {beside}
          {folded > 0 && !unfolded && (
            <button type="button" className="text-button" onClick={() => setUnfolded(true)}>
              {folded} earlier
            </button>
          )}
        </span>
      </div>
      <div className="panel-body">
        <ol className="story" ref={list} aria-live="polite" aria-relevant="additions">
          {shown.map((entry, index) => (
            <Fragment key={entry.id}>
              {entry.id === newFrom && <li className="story-new small">New since you were here</li>}
              <Entry
                entry={entry}
                after={shown[index - 1]}
                arrived={!first.has(entry.id)}
                now={now}
                onTakeBack={onTakeBack}
              />
            </Fragment>
          ))}
        </ol>
        <Box ref={end} h={1} />
        {below.length > 0 && (
          <button
            type="button"
            className="chip"
            style={newBelow}
            onClick={() => document.getElementById(below[0] ?? '')?.scrollIntoView({ block: 'center' })}
          >
            {below.length} new
          </button>
        )}
        {children}
      </div>
    </section>
  );
}
