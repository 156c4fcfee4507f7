import { UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconPlayerTrackNext } from '../../ui/look/icons.ts';
import { keepPreviousData } from '@tanstack/react-query';
import type { QueueCounts } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { inView } from '../../ui/list/in-view.ts';
import { useNow } from '../../ui/time/now.ts';
import { PageHead } from '../../ui/page/page.tsx';
import { useSession } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { useShortcut } from '../../ui/shell/shortcuts.tsx';
import { SearchField } from '../../ui/list/search-field.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { useWide } from '../../ui/page/use-phone.ts';
import { sayLeft } from './due.tsx';
import { part } from '../../ui/page/part.tsx';
import { Filter, Narrowed } from './filter.tsx';
import { queueReads } from './queue.reads.ts';
import { everywhere, fixedByTabs, nothingChosen, type QueueFilter, type Tab, tabs } from './tabs.ts';
import { useTakeNext } from './take-next.ts';

const ViewTabs = part(() => import('./saved-views.tsx'), 'ViewTabs');
const ViewTools = part(() => import('./saved-views.tsx'), 'ViewTools');

export function QueueHead() {
  const [{ family, q }, setAddress] = useAddress<QueueFilter>();
  const wide = useWide();
  return (
    <>
      <PageHead title="Queue">
        <SearchField main label="Find a job" value={q} onFind={(text) => setAddress({ q: text, job: undefined })} />
        <Filter />
        {wide && <TakeNext family={family} />}
      </PageHead>
      <QueueSentence />
      {!wide && (
        <div className="phone-bar">
          <TakeNext family={family} primary />
        </div>
      )}
    </>
  );
}

function TakeNext({ family, primary = false }: { family: string | undefined; primary?: boolean }) {
  const next = useTakeNext(family, { waits: true });
  return (
    <ActionButton
      keys="t"
      hint="Take next"
      variant={primary ? 'filled' : 'default'}
      icon={<IconPlayerTrackNext size={16} />}
      loading={next.pending}
      onClick={next.waiting ? next.stop : next.take}
    >
      {next.waiting ? 'Stop waiting' : 'Take next'}
    </ActionButton>
  );
}

const useCounts = (): QueueCounts | undefined =>
  useRead(useReads(queueReads).counts, { placeholderData: keepPreviousData }).data?.counts;

/** "14 to do, 8 free · next due in 3h", and what the list is narrowed to. */
function QueueSentence() {
  const counts = useCounts();
  const reads = useReads(queueReads);
  const now = useNow(15_000);
  if (!counts) return <p className="queue-sentence second">&nbsp;</p>;
  const nextDueIn = counts.next_due_at ? Date.parse(counts.next_due_at) - now : 0;
  return (
    <p className="row queue-sentence second numbers">
      {sayCount(counts.to_do)} to do, {sayCount(counts.free)} free
      {nextDueIn > 0 && ` · next due in ${sayLeft(nextDueIn)}`}
      <Narrowed />
      <ViewTools />
      <Holders />
      <ExportButton quiet list="jobs" read={reads.jobs} />
    </p>
  );
}

export function QueueTabs({ present }: { present: string }) {
  const counts = useCounts();
  return (
    <nav className="tabs" aria-label="Parts of the queue">
      {tabs.map((tab, index) => (
        <TabButton
          key={tab.id}
          tab={tab}
          keys={String(index + 1)}
          present={present === tab.id}
          count={tab.count && counts?.[tab.count]}
        />
      ))}
      <ViewTabs />
    </nav>
  );
}

const sayCount = (count: number) => count.toLocaleString('en');

const firstTab = { position: 'sticky', left: 0, zIndex: 1 } as const;
/** Else a digit that is scrolled below it would be read with its count. */
const covering = { background: 'var(--page)', boxShadow: '22px 0 var(--page)' };

type TabProps = { tab: Tab; keys: string; present: boolean; count: number | undefined };

function TabButton({ tab: { id, label }, keys, present, count }: TabProps) {
  const [{ view }, setAddress] = useAddress<QueueFilter>();
  const isFirst = id === tabs[0].id;
  const show = () =>
    setAddress({ ...(view ? nothingChosen : fixedByTabs), tab: isFirst ? undefined : id, job: undefined });
  useShortcut(keys, `Show: ${label}`, id === everywhere.id ? null : show);
  const late = id === 'overdue' && Boolean(count);
  return (
    <UnstyledButton
      ref={present && !isFirst ? inView : undefined}
      className={late ? 'tab icon-line bad' : 'tab icon-line'}
      aria-current={present || undefined}
      onClick={show}
      // Others scroll below it.
      style={isFirst ? { ...firstTab, ...covering } : undefined}
    >
      {late && <IconAlertTriangle size={14} aria-hidden />}
      {label}{' '}
      {id !== everywhere.id && (
        <span className="third numbers" style={{ fontWeight: 400 }}>
          {count !== undefined && sayCount(count)}
        </span>
      )}
    </UnstyledButton>
  );
}

const mostShown = 6;

/** Which operators hold how many jobs, the busiest first. A name narrows the list to what they hold. */
function Holders() {
  const { user } = useSession();
  const [, setAddress] = useAddress<QueueFilter>();
  const { data } = useRead(useReads(queueReads).operators);
  const busy = (data?.operators ?? []).filter(({ held_jobs: jobs }) => jobs > 0);
  const shown = busy.toSorted((a, b) => b.held_jobs - a.held_jobs).slice(0, mostShown);
  return (
    <>
      {shown.map(({ id, name, held_jobs: jobs, held_limit: limit }) => (
        <button
          key={id}
          type="button"
          className="chip choice"
          title={`${jobs} of ${limit} jobs held`}
          onClick={() => setAddress({ holder: id === user.id ? 'me' : id, job: undefined })}
        >
          {id === user.id ? 'You' : name} {jobs}
          {jobs >= limit && ` of ${limit}`}
        </button>
      ))}
      {busy.length > mostShown && <span>and {busy.length - mostShown} more</span>}
    </>
  );
}
