import { Select } from '@mantine/core';
import { IconAlertTriangle, IconPlayerTrackNext } from '@tabler/icons-react';
import type { QueueCounts } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { inView } from '../../ui/list/in-view.ts';
import { sayDuration } from '../../ui/time/duration.ts';
import { useNow } from '../../ui/time/now.ts';
import { PageHead } from '../../ui/page/page.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { SearchField } from '../../ui/list/search-field.tsx';
import { queueReads } from './queue.reads.ts';
import { everywhere, type QueueFilter, type Tab, tabs } from './tabs.ts';
import { useTakeNext } from './take-next.ts';

export function QueueHead() {
  const [{ family, q }, setAddress] = useAddress<QueueFilter>();
  const { families } = useServiceNames();
  return (
    <>
      <PageHead
        title="Queue"
        actions={
          <>
            <Select
              w={140}
              aria-label="Service"
              data={[
                { value: '', label: 'Any service' },
                ...families.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              value={family ?? ''}
              onChange={(value) => setAddress({ family: value ?? undefined, job: undefined })}
            />
            <HolderFilter />
            <SearchField
              main
              label="Find a job"
              width={160}
              value={q}
              onFind={(text) => setAddress({ q: text, job: undefined })}
            />
            <TakeNext family={family} />
          </>
        }
      />
      <QueueSentence />
    </>
  );
}

function HolderFilter() {
  const [{ holder }, setAddress] = useAddress<QueueFilter>();
  const { user } = useSession();
  const reads = useReads(queueReads);
  const operators = useRead(reads.operators);
  const workers = useRead(reads.workers);
  const options = [
    { value: '', label: 'Anybody' },
    { value: 'none', label: 'Free' },
    { value: 'me', label: 'You' },
    ...(operators.data?.operators ?? [])
      .filter(({ id }) => id !== user.id)
      .toSorted((a, b) => a.name.localeCompare(b.name))
      .map(({ id, name }) => ({ value: id, label: name })),
    ...(workers.data?.worker_keys ?? [])
      .filter(({ status }) => status === 'active')
      .map(({ id, name }) => ({ value: id, label: name })),
  ];
  const value = holder ?? '';
  const data = options.some((option) => option.value === value) ? options : [...options, { value, label: value }];
  return (
    <Select
      w={120}
      aria-label="Holder"
      data={data}
      value={value}
      onChange={(chosen) => setAddress({ holder: chosen ?? undefined, job: undefined })}
    />
  );
}

function TakeNext({ family }: { family: string | undefined }) {
  const next = useTakeNext(family, { waits: true });
  return (
    <ActionButton
      keys="t"
      variant="default"
      icon={<IconPlayerTrackNext size={16} />}
      loading={next.pending}
      onClick={next.waiting ? next.stop : next.take}
    >
      {next.waiting ? 'Stop waiting' : 'Take next'}
    </ActionButton>
  );
}

const useCounts = (): QueueCounts | undefined => useRead(useReads(queueReads).counts).data?.counts;

/** "14 to do, 8 free · next due in 3h". */
function QueueSentence() {
  const counts = useCounts();
  const now = useNow(15_000);
  if (!counts) return <p className="queue-sentence second">&nbsp;</p>;
  const nextDueIn = counts.next_due_at ? Date.parse(counts.next_due_at) - now : 0;
  return (
    <p className="queue-sentence second numbers">
      {counts.to_do} to do, {counts.free} free{nextDueIn > 0 && ` · next due in ${sayDuration(nextDueIn)}`}
    </p>
  );
}

export function QueueTabs({ present }: { present: string }) {
  const counts = useCounts();
  const [, setAddress] = useAddress<QueueFilter>();
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
      <button
        ref={present === everywhere.id ? inView : undefined}
        type="button"
        className="tab"
        aria-current={present === everywhere.id || undefined}
        onClick={() => setAddress({ tab: everywhere.id, job: undefined })}
      >
        {everywhere.label}
      </button>
    </nav>
  );
}

type TabProps = { tab: Tab; keys: string; present: boolean; count: number | undefined };

function TabButton({ tab: { id, label }, keys, present, count }: TabProps) {
  const [, setAddress] = useAddress<QueueFilter>();
  const show = () => setAddress({ tab: id === tabs[0]?.id ? undefined : id, job: undefined });
  useShortcut(keys, `Show: ${label}`, show);
  const late = id === 'overdue' && count;
  return (
    <button
      ref={present && id !== tabs[0]?.id ? inView : undefined}
      type="button"
      className={late ? 'tab bad' : 'tab'}
      aria-current={present || undefined}
      onClick={show}
    >
      {late ? <IconAlertTriangle size={14} aria-hidden /> : null}
      {label} <span className="count numbers">{count ?? ''}</span>
    </button>
  );
}
