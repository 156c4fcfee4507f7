import { Button, Select } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { IconAlertTriangle, IconPlayerTrackNext } from '@tabler/icons-react';
import { useState } from 'react';
import { api, type DeskJobListItem, operationQuery, type QueueCounts } from '../api.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { useAddress } from '../ui/address.ts';
import { Empty } from '../ui/empty.tsx';
import { Failure } from '../ui/failure.tsx';
import { sayDuration, useNow } from '../ui/now.ts';
import { PageHead } from '../ui/page.tsx';
import { useServiceNames } from '../ui/service-names.ts';
import { useShortcut } from '../ui/shortcuts.tsx';
import { useTakeNext } from './moves.ts';
import { Peek } from './peek.tsx';
import { QueueList } from './queue-list.tsx';
import { useSteadyRows } from './rows.ts';
import { SearchField } from './search-field.tsx';
import { countsQuery } from './shell.tsx';
import { everywhere, type Tab, tabs } from './tabs.ts';

type Filter = 'tab' | 'family' | 'q' | 'job' | 'peek';

/** Rows that are read at once, and by which "Show more" adds. */
const pageSize = 100;

export function Queue() {
  const [{ tab: tabId, family, q, job, peek }, setAddress] = useAddress<Filter>();
  const tab = tabId === everywhere.id ? everywhere : (tabs.find(({ id }) => id === tabId) ?? tabs[0]!);
  const wide = useMediaQuery('(min-width: 1180px)', false, { getInitialValueInEffect: false });
  const [pages, setPages] = useState(1);
  const [held, setHeld] = useState(false);
  const queue = useQueueRows(tab, { family, q, pages });
  const scope = JSON.stringify([tab.id, family, q, pages]);
  const { rows, waiting, adopt } = useSteadyRows(queue.isPlaceholderData ? undefined : queue.data?.jobs, scope, held);
  const selected = job ?? rows?.[0]?.job.id;
  const peeking = wide && peek !== 'off' && rows?.length !== 0;
  return (
    <div className={peeking ? 'queue peeking' : 'queue'}>
      <div className="queue-main">
        <QueueHead />
        <QueueTabs present={tab.id} />
        {waiting > 0 && held && (
          <Button className="waiting" variant="default" size="xs" h={28} onClick={adopt}>
            {waiting} new
          </Button>
        )}
        {queue.error && !rows ? (
          <Failure error={queue.error} retry={() => void queue.refetch()} />
        ) : rows?.length === 0 ? (
          <NoRows tab={tab} />
        ) : (
          <QueueList
            tab={tab}
            rows={rows}
            selected={selected}
            onSelect={(id) => setAddress({ job: id })}
            selects={peeking}
            onHold={setHeld}
          />
        )}
        {queue.data?.next_cursor && (
          <div className="list-foot">
            <span>{queue.data.jobs.length} shown</span>
            <Button variant="default" size="xs" h={28} onClick={() => setPages(pages + 1)}>
              Show more
            </Button>
          </div>
        )}
      </div>
      {peeking && <Peek id={selected} onClose={() => setAddress({ peek: 'off', job: undefined })} />}
    </div>
  );
}

type Asked = { family: string | undefined; q: string | undefined; pages: number };

/** The rows of a tab: as many pages, one after the other, as were asked for. */
function useQueueRows(tab: Omit<Tab, 'count'>, { family, q, pages }: Asked) {
  const query = { ...tab.query, ...(family ? { service_family: family } : {}), ...(q ? { q } : {}), limit: pageSize };
  return useQuery({
    queryKey: ['listQueue', query, pages],
    queryFn: async ({ signal }) => {
      const jobs: DeskJobListItem[] = [];
      let cursor: string | null = null;
      for (let page = 0; page === 0 || (cursor !== null && page < pages); page++) {
        const read: Awaited<ReturnType<typeof api.listQueue>> = await api.listQueue({
          query: { ...query, ...(cursor ? { cursor } : {}) },
          signal,
        });
        jobs.push(...read.jobs);
        cursor = read.next_cursor;
      }
      return { jobs, next_cursor: cursor };
    },
  });
}

function QueueHead() {
  const [{ family, q }, setAddress] = useAddress<Filter>();
  const { families } = useServiceNames();
  const next = useTakeNext(family);
  return (
    <PageHead
      title="Queue"
      below={<QueueSentence />}
      actions={
        <>
          <Select
            w={150}
            aria-label="Service"
            data={[
              { value: '', label: 'Any service' },
              ...families.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={family ?? ''}
            onChange={(value) => setAddress({ family: value ?? undefined, job: undefined })}
          />
          <SearchField
            main
            label="Find a job"
            width={190}
            value={q}
            onFind={(text) => setAddress({ q: text, job: undefined })}
          />
          <ActionButton
            keys="t"
            variant="default"
            icon={<IconPlayerTrackNext size={16} />}
            loading={next.pending}
            onClick={next.take}
          >
            Take next
          </ActionButton>
        </>
      }
    />
  );
}

function useCounts(): QueueCounts | undefined {
  const [{ family }] = useAddress<Filter>();
  const ofFamily = operationQuery('countQueue', family ? { query: { service_family: family } } : {});
  return useQuery(family ? ofFamily : countsQuery).data?.counts;
}

/** "14 to do, 8 free · next due in 3h". */
function QueueSentence() {
  const counts = useCounts();
  const now = useNow(15_000);
  if (!counts) return <span>&nbsp;</span>;
  const due = counts.next_due_at ? Date.parse(counts.next_due_at) - now : 0;
  return (
    <span className="numbers">
      {counts.to_do} to do, {counts.free} free{due > 0 && ` · next due in ${sayDuration(due)}`}
    </span>
  );
}

function QueueTabs({ present }: { present: string }) {
  const counts = useCounts();
  return (
    <nav className="tabs" aria-label="Parts of the queue">
      {tabs.map((tab, index) => (
        <TabButton
          key={tab.id}
          tab={tab}
          keys={String(index + 1)}
          present={present === tab.id}
          count={counts?.[tab.count]}
        />
      ))}
    </nav>
  );
}

type TabProps = { tab: Tab; keys: string; present: boolean; count: number | undefined };

function TabButton({ tab: { id, label }, keys, present, count }: TabProps) {
  const [, setAddress] = useAddress<Filter>();
  const show = () => setAddress({ tab: id === tabs[0]?.id ? undefined : id, job: undefined });
  useShortcut(keys, `Show: ${label}`, show);
  const late = id === 'overdue' && count;
  return (
    <button type="button" className={late ? 'tab bad' : 'tab'} aria-current={present || undefined} onClick={show}>
      {late ? <IconAlertTriangle size={14} aria-hidden /> : null}
      {label} <span className="count numbers">{count ?? ''}</span>
    </button>
  );
}

function NoRows({ tab }: { tab: Omit<Tab, 'count'> }) {
  const [{ family, q }, setAddress] = useAddress<Filter>();
  const searching = Boolean(q);
  return (
    <Empty
      action={
        searching && tab !== everywhere ? (
          <ActionButton variant="default" onClick={() => setAddress({ tab: everywhere.id })}>
            Search all jobs
          </ActionButton>
        ) : family || searching ? (
          <ActionButton variant="default" onClick={() => setAddress({ family: undefined, q: undefined })}>
            Show all services
          </ActionButton>
        ) : undefined
      }
    >
      {searching ? 'No job here is like this.' : tab.empty}
    </Empty>
  );
}
