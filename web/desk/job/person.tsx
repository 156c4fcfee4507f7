import { IconRobot } from '../../ui/look/icons.ts';
import { canHold, canMove } from '../../../contract/moves.ts';
import type { DeskJobListItem } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { initials } from '../../ui/thread/story.ts';

const small = { width: 22, height: 22, fontSize: 10 };

/** Initials for a person, a mark for a worker, a ring for nobody; nothing if the job cannot be held. */
export function Holder({ job: { holder, status } }: { job: Pick<DeskJobListItem, 'holder' | 'status'> }) {
  const { user } = useSession();
  if (holder === null)
    return !canHold(status) && !canMove('accept', status) ? null : (
      <span className="holder third">
        <span className="avatar none wide-only" style={small} aria-hidden />
        free
      </span>
    );
  const you = holder.operator_id === user.id;
  return (
    <span className={you ? 'holder ink' : 'holder'}>
      <span className={you ? 'avatar' : 'avatar other'} style={small} aria-hidden>
        {holder.worker_key_id ? <IconRobot size={14} stroke={1.6} /> : initials(holder.name)}
      </span>
      <span className="one-line">{you ? 'You' : holder.name}</span>
    </span>
  );
}
