import { Box, Button, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ComponentProps, useLayoutEffect, useRef, useState } from 'react';
import { usePages, useReads } from '../../app/use-reads.ts';
import { useMarks } from '../../ui/list/marks.ts';
import { useSteadyRows } from '../../ui/list/use-steady-rows.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Empty, ListFoot } from '../../ui/list/list.tsx';
import { noteInAddress, useAddress } from '../../ui/page/address.ts';
import { store } from '../../ui/page/store.ts';
import { curl } from '../../ui/page/curl.ts';
import { Keys, shortcutOf, singleKeysOn, useShortcuts } from '../../ui/shell/shortcuts.tsx';
import { Failure } from '../../ui/page/page.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { Peek } from './peek.tsx';
import { QueueHead, QueueTabs } from './queue-head.tsx';
import { QueueList } from './queue-list.tsx';
import { rememberQueue, useRememberedQueue } from './queue-place.ts';
import { queueReads } from './queue.reads.ts';
import type { Row } from './group-by-due.ts';
import { criteria, everywhere, nothingChosen, type QueueFilter, type Tab, tabAt, tabs } from './tabs.ts';
import { useTakeNext } from './take-next.ts';

export function Queue() {
  const [search, setAddress] = useAddress<QueueFilter>();
  const { peek } = search;
  const tab = tabAt(search);
  const wide = useMediaQuery('(min-width: 1180px)', false, { getInitialValueInEffect: false });
  const [isPointing, setIsPointing] = useState(false);
  useRememberedQueue();
  const read = useReads(queueReads).jobs;
  const queue = usePages(read);
  const fresh = queue.isPlaceholderData ? undefined : queue.data;
  const scope = JSON.stringify(read.input);
  const { rows, waiting, adopt } = useSteadyRows(fresh, scope, isPointing);
  const there = rows?.filter(({ gone }) => !gone).map(({ row }) => row) ?? [];
  const marks = useMarks(
    scope,
    there.map(({ id }) => id),
  );
  const selection = useSelected(rows, scope);
  const failed = queue.error && !rows ? queue.error : null;
  const peeking = wide && peek !== 'off' && rows?.length !== 0 && failed === null;
  return (
    <div className={peeking ? 'peeking' : undefined}>
      <div className="queue-main">
        <QueueHead />
        <QueueTabs present={tab.id} />
        {failed ? (
          <Box mt={16}>
            <Failure error={failed} retry={() => void queue.refetch()} />
          </Box>
        ) : rows?.length === 0 ? (
          <NoRows tab={tab} />
        ) : (
          // The button lies over the rows, so whoever points at it points at them.
          <div {...whilePointing(setIsPointing)}>
            {waiting > 0 && isPointing && (
              <Button
                pos="absolute"
                right={0}
                mt={4}
                style={{ zIndex: 2 }}
                variant="default"
                size="xs"
                h={28}
                onClick={adopt}
              >
                {waiting} new
              </Button>
            )}
            <QueueList
              tab={tab}
              rows={rows}
              more={queue.more !== undefined}
              selection={{ ...selection, byClick: peeking }}
              marks={marks}
            />
          </div>
        )}
        {rows && queue.more && (
          <ListFoot shown={`${rows.length} shown`} more={queue.more} loading={queue.loadingMore} keys={false} />
        )}
        <BulkBar jobs={there.filter(({ id }) => marks.ids.includes(id))} onClear={marks.clear} onMoved={marks.unmark} />
        <KeyLine />
      </div>
      {peeking && (
        <Peek
          selected={selection.selected}
          acceptKey={marks.ids.length === 0}
          onClose={() => setAddress({ peek: 'off', job: undefined })}
        />
      )}
    </div>
  );
}

/** The row in the address, or else the first one, which stays selected when another comes before it. */
function useSelected(rows: Row[] | undefined, scope: string) {
  const [{ job }] = useAddress<QueueFilter>();
  const [selected] = useState(() => store(job));
  const lastScope = useRef(scope);
  useLayoutEffect(() => {
    if (!rows) return;
    const there = (id: string | undefined) => rows.some(({ row }) => row.id === id);
    const candidates = lastScope.current === scope ? [selected.read()] : [job, selected.read()];
    lastScope.current = scope;
    selected.set(candidates.find(there) ?? rows[0]?.row.id);
  }, [rows, scope, job, selected]);
  const onSelect = (id: string) => {
    selected.set(id);
    noteInAddress('job', id);
    rememberQueue(location.search);
  };
  return { selected, onSelect };
}

/** Of an element, while the pointer or the focus is in it. */
const whilePointing = (onChange: (isPointing: boolean) => void): ComponentProps<'div'> => ({
  onPointerEnter: () => onChange(true),
  onPointerLeave: () => onChange(false),
  onFocus: () => onChange(true),
  onBlur: ({ currentTarget, relatedTarget }) => !currentTarget.contains(relatedTarget) && onChange(false),
});

function NoRows({ tab }: { tab: Tab }) {
  const [search] = useAddress<QueueFilter>();
  const { q } = search;
  const filtered = criteria.some((name) => search[name]);
  return (
    <Empty action={<WayOn tab={tab} filtered={filtered} q={q} />} {...(!filtered && { command: commandOf(tab) })}>
      {q ? `No job matches “${q}” here.` : filtered ? 'No job matches this filter.' : tab.empty}
    </Empty>
  );
}

function commandOf({ query }: Tab): string {
  const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return curl({ path: `/api/operator/v1/jobs?${new URLSearchParams(parameters)}`, credential: 'ATELIER_TOKEN' });
}

function WayOn({ tab, filtered, q }: { tab: Tab; filtered: boolean; q: string | undefined }) {
  const [, setAddress] = useAddress<QueueFilter>();
  const way = (label: string, to: Parameters<typeof setAddress>[0]) => (
    <ActionButton variant="default" onClick={() => setAddress(to)}>
      {label}
    </ActionButton>
  );
  if (q && tab !== everywhere) return way('Search all jobs', { ...nothingChosen, q, tab: everywhere.id });
  if (filtered) return way('Show all', nothingChosen);
  if (tab.id === 'mine') return <TakeOne />;
  if (tab === tabs[0]) return way('Show all jobs', { tab: everywhere.id });
  return way('Show what there is to do', { ...nothingChosen, tab: undefined });
}

function TakeOne() {
  const [{ family }] = useAddress<QueueFilter>();
  const next = useTakeNext(family, { waits: false });
  return (
    <ActionButton loading={next.pending} onClick={next.take}>
      Take the next job
    </ActionButton>
  );
}

/** The most useful keys of the page, at its foot. */
function KeyLine() {
  const hinted = useShortcuts().filter(({ hint }) => hint !== undefined);
  if (!singleKeysOn()) return null;
  return (
    <div className="key-line small second nowrap wide-only" role="group" aria-label="Keys">
      {[...Map.groupBy(hinted, ({ hint }) => hint)].map(([hint, shortcuts]) => (
        <span key={hint}>
          {[...new Set(shortcuts.map(({ keys }) => keys))].map((keys) => (
            <Keys key={keys}>{keys}</Keys>
          ))}{' '}
          {hint}
        </span>
      ))}
      {/* One line, so that nothing above it moves: what does not fit is under this button. */}
      <UnstyledButton
        pos="absolute"
        right={0}
        pl={14}
        bg="var(--page)"
        fz="inherit"
        onClick={() => shortcutOf('?')?.run()}
      >
        All keys <Keys>?</Keys>
      </UnstyledButton>
    </div>
  );
}
