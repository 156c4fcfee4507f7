import { ActionButton } from '../../ui/form/action-button.tsx';
import { useAddress } from '../../ui/page/address.ts';
import { curl } from '../../ui/page/curl.ts';
import { Empty } from '../../ui/list/empty.tsx';
import { everywhere, type QueueFilter, type Tab, tabs } from './tabs.ts';
import { useTakeNext } from './take-next.ts';

export function NoRows({ tab }: { tab: Omit<Tab, 'count'> }) {
  const [{ family, holder, standing, q }] = useAddress<QueueFilter>();
  const filtered = Boolean(family ?? holder ?? standing ?? q);
  return (
    <Empty
      action={<WayOn tab={tab} filtered={filtered} searching={Boolean(q)} />}
      {...(filtered ? {} : { command: commandOf(tab) })}
    >
      {q ? `No job matches “${q}” here.` : filtered ? 'No job matches this filter.' : tab.empty}
    </Empty>
  );
}

function commandOf({ query }: Omit<Tab, 'count'>): string {
  const parameters = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return curl({
    path: `/api/operator/v1/jobs?${new URLSearchParams(parameters)}`,
    credential: 'ATELIER_TOKEN',
  });
}

type WayOnProps = { tab: Omit<Tab, 'count'>; filtered: boolean; searching: boolean };

function WayOn({ tab, filtered, searching }: WayOnProps) {
  const [, setAddress] = useAddress<QueueFilter>();
  if (searching && tab !== everywhere)
    return (
      <ActionButton variant="default" onClick={() => setAddress({ tab: everywhere.id })}>
        Search all jobs
      </ActionButton>
    );
  if (filtered)
    return (
      <ActionButton
        variant="default"
        onClick={() => setAddress({ family: undefined, holder: undefined, standing: undefined, q: undefined })}
      >
        Show all
      </ActionButton>
    );
  if (tab.id === 'mine') return <TakeOne />;
  const todo = tab.id === tabs[0]?.id;
  return (
    <ActionButton variant="default" onClick={() => setAddress({ tab: todo ? everywhere.id : undefined })}>
      {todo ? 'Show all jobs' : 'Show what there is to do'}
    </ActionButton>
  );
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
