import { IconCircleCheck, IconHandStop, IconPlayerPlay } from '../../ui/look/icons.ts';
import { type DeskJob, useOperation } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { notify } from '../../ui/page/notify.ts';
import { holdBack, useHeldBack } from './held-back.ts';
import { forgetLease, keptLease } from './lease.ts';
import { notifyWhoWasFirst } from './moves.ts';
import { SubmitMove } from './submit-move.tsx';
import type { Delivery } from './use-delivery.ts';
import type { ToDo } from './use-to-do.ts';
import { useMoves } from './use-moves.ts';

type Props = { job: DeskJob; delivery: Delivery; toDo: ToDo; onMoved: () => void };

/** The one move that comes next. */
export function PrimaryMove({ job, delivery, toDo, onMoved }: Props) {
  const { me, has } = useMoves(job);
  const release = useHeldBack().find(({ jobId }) => jobId === job.id);
  if (release)
    return (
      <p className="second small" role="note">
        It goes to {release.to} in a few seconds. Undo it first, if something is to change.
      </p>
    );
  const mine = job.holder?.operator_id === me;
  if (job.status === 'queued') return <Accept job={job} />;
  if (job.status === 'needs_review') return <Pass job={job} onMoved={onMoved} />;
  if (has('hold') && !mine) return <Take job={job} />;
  if (job.status === 'accepted') return <Start job={job} />;
  if (job.status === 'running') return <SubmitMove job={job} delivery={delivery} toDo={toDo} onMoved={onMoved} />;
  return null;
}

function Accept({ job }: { job: DeskJob }) {
  const { me } = useMoves(job);
  const accept = useOperation('acceptJob');
  const key = useMoveKey(`accept-${job.status_changed_at}`);
  return (
    <ActionButton
      keys="a"
      icon={<IconCircleCheck size={16} />}
      loading={accept.isPending}
      onClick={() =>
        accept.mutate(
          { path: { id: job.id }, idempotencyKey: key },
          {
            onSuccess: () => forgetLease(job.id),
            onError: (error) => void notifyWhoWasFirst(job.id, me, error),
          },
        )
      }
    >
      Accept
    </ActionButton>
  );
}

function Start({ job }: { job: DeskJob }) {
  const { me, reason } = useMoves(job);
  const start = useOperation('startJob');
  const key = useMoveKey(`start-${job.status_changed_at}`);
  const lease = keptLease(job.id);
  const body = lease && job.holder?.lease_expires_at ? { lease_token: lease.token } : {};
  return (
    <ActionButton
      keys="s"
      icon={<IconPlayerPlay size={16} />}
      loading={start.isPending}
      reason={reason('start')}
      onClick={() =>
        start.mutate(
          { path: { id: job.id }, body, idempotencyKey: key },
          { onError: (error) => void notifyWhoWasFirst(job.id, me, error) },
        )
      }
    >
      Start work
    </ActionButton>
  );
}

function Take({ job }: { job: DeskJob }) {
  const { me, reason } = useMoves(job);
  const hold = useOperation('holdJob');
  const key = useMoveKey(`hold-${job.status_changed_at}-${job.holder?.since ?? ''}`);
  return (
    <ActionButton
      keys="h"
      icon={<IconHandStop size={16} />}
      reason={reason('hold')}
      loading={hold.isPending}
      onClick={() =>
        hold.mutate(
          { path: { id: job.id }, body: {}, idempotencyKey: key },
          {
            onSuccess: () => (forgetLease(job.id), notify('It is yours now.')),
            onError: (error) => void notifyWhoWasFirst(job.id, me, error),
          },
        )
      }
    >
      {job.holder ? 'Take over' : 'Take'}
    </ActionButton>
  );
}

function Pass({ job, onMoved }: { job: DeskJob; onMoved: () => void }) {
  const { me, reason } = useMoves(job);
  const pass = () => {
    const to = job.account?.name ?? 'the customer';
    holdBack({ jobId: job.id, by: me, title: job.customer_title, to, delivers: true, move: { operation: 'passJob' } });
    onMoved();
  };
  return (
    <ActionButton keys="p" icon={<IconCircleCheck size={16} />} reason={reason('pass')} onClick={pass}>
      Pass to the customer
    </ActionButton>
  );
}
