import { IconArrowBackUp, IconCalendarTime, IconUserShare } from '../../ui/look/icons.ts';
import { Suspense, useState } from 'react';
import { canReschedule } from '../../../contract/moves.ts';
import { type DeskJob, useOperation } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { sayFailure } from '../../ui/page/failure.tsx';
import { notify } from '../../ui/page/notify.ts';
import { part } from '../../ui/page/part.tsx';
import { useLater } from '../../ui/page/use-later.ts';
import { forgetLease } from './lease.ts';
import { useMoves } from './use-moves.ts';

const HandOver = part(() => import('./hand-over.tsx'), 'HandOver');
const MoveDueDate = part(() => import('./move-due-date.tsx'), 'MoveDueDate');
const RejectDialog = part(() => import('./reject-dialog.tsx'), 'RejectDialog');
const ReturnDialog = part(() => import('./return-dialog.tsx'), 'ReturnDialog');

type Dialog = 'return' | 'reject' | 'hand over' | 'due date' | null;

/** The moves besides the one that comes next, without those that the role does not allow. */
export function OtherMoves({ job }: { job: DeskJob }) {
  const { has, allowed, may, me } = useMoves(job);
  const [dialog, setDialog] = useState<Dialog>(null);
  const withDialogs = useLater(dialog !== null);
  const open = (next: Dialog) => () => setDialog(next);
  const close = open(null);
  const mine = job.holder?.operator_id === me;
  return (
    <>
      {allowed('return') && (
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
      <div className="row between">
        {job.holder && allowed('release') ? <PutBack job={job} /> : <span />}
        {allowed('reject') && (
          <ActionButton keys="R" variant="subtle" color="bad" size="compact-sm" onClick={open('reject')}>
            Reject
          </ActionButton>
        )}
      </div>
      {withDialogs && (
        <Suspense fallback={null}>
          <ReturnDialog job={job} opened={dialog === 'return'} onClose={close} />
          <RejectDialog job={job} opened={dialog === 'reject'} onClose={close} />
          <MoveDueDate
            key={job.waiting_since ? 'left' : 'date'}
            job={job}
            opened={dialog === 'due date'}
            onClose={close}
          />
          <HandOver job={job} opened={dialog === 'hand over'} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

/** Into the queue, for whoever takes it next. */
function PutBack({ job }: { job: DeskJob }) {
  const release = useOperation('releaseJob');
  const key = useMoveKey(`release-${job.status_changed_at}-${job.holder?.since ?? ''}`);
  const run = () =>
    release.mutate(
      { path: { id: job.id }, body: {}, idempotencyKey: key },
      {
        onSuccess: () => (forgetLease(job.id), notify('Back in the queue.')),
        onError: (error) => notify(sayFailure(error).title),
      },
    );
  return (
    <ActionButton keys="b" variant="subtle" color="gray" size="compact-sm" loading={release.isPending} onClick={run}>
      Put back
    </ActionButton>
  );
}
