import { IconArrowBackUp, IconCalendarTime, IconClock, IconUserShare } from '../../ui/look/icons.ts';
import { useState } from 'react';
import { canReschedule } from '../../../contract/moves.ts';
import type { DeskJob } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { notify, sayFailure } from '../../ui/page/page.tsx';
import { dialogPart } from '../../ui/page/part.tsx';
import { useHeldBack } from './held-back.ts';
import { forgetLease } from './lease.ts';
import { useMove, useMoves } from './use-moves.ts';

const HandOver = dialogPart(() => import('./move-dialogs.tsx'), 'HandOver');
const MoveDueDate = dialogPart(() => import('./move-dialogs.tsx'), 'MoveDueDate');
const RejectDialog = dialogPart(() => import('./move-dialogs.tsx'), 'RejectDialog');
const ReturnDialog = dialogPart(() => import('./move-dialogs.tsx'), 'ReturnDialog');

const SetAsideDialog = dialogPart(() => import('./set-aside-dialog.tsx'), 'SetAsideDialog');

type Dialog = 'return' | 'reject' | 'hand over' | 'due date' | 'set aside' | null;

/** The moves besides the one that comes next, without those that the role does not allow. */
export function OtherMoves({ job, onMoved }: { job: DeskJob; onMoved: () => void }) {
  const goesOut = useHeldBack().some(({ jobId }) => jobId === job.id);
  const { has, allowed, may, me } = useMoves(job);
  const [dialog, setDialog] = useState<Dialog>(null);
  const open = (next: Dialog) => () => setDialog(next);
  const shown = (name: Dialog) => ({ job, opened: dialog === name, onClose: open(null) });
  const mine = job.holder?.operator_id === me;
  return (
    <>
      {allowed('return') && !goesOut && (
        <ActionButton keys="r" variant="default" icon={<IconArrowBackUp size={16} />} onClick={open('return')}>
          Return
        </ActionButton>
      )}
      {has('hold') && mine && may('direct') && (
        <ActionButton keys="h" variant="default" icon={<IconUserShare size={16} />} onClick={open('hand over')}>
          Hand over
        </ActionButton>
      )}
      {canReschedule(job.status) && may('direct') && (
        <ActionButton keys="l" variant="default" icon={<IconCalendarTime size={16} />} onClick={open('due date')}>
          Move the due date
        </ActionButton>
      )}
      {isSetAsideBy(job, me, may('direct')) && (
        <ActionButton keys="i" variant="default" icon={<IconClock size={16} />} onClick={open('set aside')}>
          Set aside
        </ActionButton>
      )}
      <div className="row between">
        {job.holder && allowed('release') ? <PutBack job={job} /> : <span />}
        {allowed('reject') && (
          <ActionButton keys="R" variant="subtle" color="bad" size="compact-sm" onClick={open('reject')}>
            Reject
          </ActionButton>
        )}
      </div>
      <ReturnDialog {...shown('return')} onMoved={onMoved} />
      <RejectDialog {...shown('reject')} />
      <HandOver {...shown('hand over')} />
      <SetAsideDialog key={job.set_aside?.set_aside_at} {...shown('set aside')} />
      <MoveDueDate key={String(job.waiting_since)} {...shown('due date')} />
    </>
  );
}

/** Whether this operator can set it aside: work that no worker holds. */
export const isSetAsideBy = ({ status, holder }: DeskJob, me: string, directs: boolean): boolean =>
  (status === 'queued' || status === 'accepted' || status === 'running') &&
  (holder === null || (holder.operator_id !== null && (holder.operator_id === me || directs)));

/** Into the queue, for whoever takes it next. */
function PutBack({ job }: { job: DeskJob }) {
  const { run, isPending } = useMove('releaseJob', job, `${job.status_changed_at}-${job.holder?.since}`);
  const putBack = () =>
    run({
      body: {},
      onSuccess: () => (forgetLease(job.id), notify('Back in the queue.')),
      onError: (error) => notify(sayFailure(error).title),
    });
  return (
    <ActionButton keys="b" variant="subtle" color="gray" size="compact-sm" loading={isPending} onClick={putBack}>
      Put back
    </ActionButton>
  );
}
