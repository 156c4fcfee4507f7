import { useSession } from '../../app/session/session.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { useAddress } from '../../ui/page/address.ts';
import { queueReads } from './queue.reads.ts';
import type { QueueFilter } from './tabs.ts';

const mostShown = 6;

/** Which operators hold how many jobs, the busiest first. A name narrows the list to what they hold. */
export function Holders() {
  const { user } = useSession();
  const [, setAddress] = useAddress<QueueFilter>();
  const { data } = useRead(useReads(queueReads).operators);
  const busy = (data?.operators ?? []).filter(({ held_jobs: jobs }) => jobs > 0);
  const shown = busy.toSorted((a, b) => b.held_jobs - a.held_jobs).slice(0, mostShown);
  return (
    <>
      {shown.map(({ id, name, held_jobs: jobs, held_limit: limit }) => {
        const you = id === user.id;
        return (
          <button
            key={id}
            type="button"
            className="chip choice"
            title={`${jobs} of ${limit} jobs held`}
            onClick={() => setAddress({ holder: you ? 'me' : id, job: undefined })}
          >
            {you ? 'You' : name} {jobs}
            {jobs >= limit && ` of ${limit}`}
          </button>
        );
      })}
      {busy.length > mostShown && <span>and {busy.length - mostShown} more</span>}
    </>
  );
}
