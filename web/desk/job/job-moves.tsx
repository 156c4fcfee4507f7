import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowBackUp, IconCircleCheck, IconDots, IconHandStop } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { type DeskJob, useOperation } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { sayFailure } from '../../ui/page/failure.tsx';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { KeyHint, useShortcut } from '../../ui/shell/shortcuts.tsx';
import { useLater } from '../../ui/page/use-later.ts';
import { forgetLease } from './lease.ts';
import { notify } from '../../ui/page/notify.ts';
import { notifyWhoWasFirst } from './moves.ts';
import { useMoves } from './use-moves.ts';
import { part } from '../../ui/page/part.tsx';

const HandOver = part(() => import('./hand-over.tsx'), 'HandOver');
const RejectDialog = part(() => import('./reject-dialog.tsx'), 'RejectDialog');
const ReturnDialog = part(() => import('./return-dialog.tsx'), 'ReturnDialog');

type Dialog = 'return' | 'reject' | 'hand over' | null;

/** Explains a move that another operator's hold prevents. */
export function JobMoves({ job }: { job: DeskJob }) {
  const [dialog, setDialog] = useState<Dialog>(null);
  const close = () => setDialog(null);
  const withDialogs = useLater(dialog !== null);
  const { has } = useMoves(job);
  return (
    <>
      <Accept job={job} />
      <Pass job={job} />
      {has('return') && (
        <ActionButton
          keys="r"
          variant="default"
          icon={<IconArrowBackUp size={16} />}
          onClick={() => setDialog('return')}
        >
          Return
        </ActionButton>
      )}
      <MoreMoves job={job} onAsk={setDialog} />
      {withDialogs && (
        <Suspense fallback={null}>
          <ReturnDialog job={job} opened={dialog === 'return'} onClose={close} />
          <RejectDialog job={job} opened={dialog === 'reject'} onClose={close} />
          <HandOver job={job} opened={dialog === 'hand over'} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

function Accept({ job }: { job: DeskJob }) {
  const { has, me } = useMoves(job);
  const accept = useOperation('acceptJob');
  const key = useMoveKey(`accept-${job.status_changed_at}`);
  if (!has('accept')) return null;
  return (
    <ActionButton
      keys="a"
      icon={<IconCircleCheck size={16} />}
      loading={accept.isPending}
      onClick={() =>
        accept.mutate(
          { path: { id: job.id }, idempotencyKey: key },
          { onError: (error) => void notifyWhoWasFirst(job.id, me, error) },
        )
      }
    >
      Accept
    </ActionButton>
  );
}

function Pass({ job }: { job: DeskJob }) {
  const { has, me } = useMoves(job);
  const pass = useOperation('passJob');
  const key = useMoveKey(`pass-${job.status_changed_at}`);
  if (!has('pass')) return null;
  return (
    <ActionButton
      keys="p"
      icon={<IconCircleCheck size={16} />}
      loading={pass.isPending}
      onClick={() =>
        pass.mutate(
          { path: { id: job.id }, idempotencyKey: key },
          {
            onSuccess: () => notify('Passed to the customer.'),
            onError: (error) => void notifyWhoWasFirst(job.id, me, error),
          },
        )
      }
    >
      Pass to the customer
    </ActionButton>
  );
}

function MoreMoves({ job, onAsk }: { job: DeskJob; onAsk: (dialog: Dialog) => void }) {
  const { has, allowed, me } = useMoves(job);
  const release = useOperation('releaseJob');
  const hold = useOperation('holdJob');
  const moveKey = useMoveKey(`more-${job.status_changed_at}-${job.holder?.since ?? ''}`);
  const mine = job.holder?.operator_id === me;
  const takeOver = () =>
    hold.mutate(
      { path: { id: job.id }, body: {}, idempotencyKey: `hold-${moveKey}` },
      { onSuccess: () => notify('It is yours now.'), onError: (error) => void notifyWhoWasFirst(job.id, me, error) },
    );
  const giveBack = () =>
    release.mutate(
      { path: { id: job.id }, body: {}, idempotencyKey: `release-${moveKey}` },
      {
        onSuccess: () => (forgetLease(job.id), notify('Back in the queue.')),
        onError: (error) => notify(sayFailure(error).title),
      },
    );
  const canTake = has('hold') && !mine;
  useShortcut('h', 'Hand over to a colleague', has('hold') && mine ? () => onAsk('hand over') : null);
  if (!has('hold') && !has('reject')) return null;
  return (
    <>
      {canTake && (
        <ActionButton
          keys="h"
          variant="default"
          icon={<IconHandStop size={16} />}
          loading={hold.isPending}
          onClick={takeOver}
        >
          {job.holder ? 'Take over' : 'Take'}
        </ActionButton>
      )}
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size={34} aria-label="More moves">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {has('hold') && (
            <Menu.Item onClick={() => onAsk('hand over')} rightSection={mine && <KeyHint>h</KeyHint>}>
              Hand over…
            </Menu.Item>
          )}
          {has('release') && (
            <Menu.Item onClick={giveBack} disabled={!allowed('release')}>
              Release to the queue
            </Menu.Item>
          )}
          {has('reject') && (
            <Menu.Item color="bad" onClick={() => onAsk('reject')}>
              Reject…
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
