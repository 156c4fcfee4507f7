import { Button } from '@mantine/core';
import { IconCircleCheck, IconHandStop, IconMessage, IconPlayerPlay, IconSend } from '../../ui/look/icons.ts';
import { type ComponentProps, useState } from 'react';
import type { DeskJob } from '../../app/api.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { notify, Panel } from '../../ui/page/page.tsx';
import { sayBytes } from '../../ui/upload/bytes.ts';
import { holdBack, useHeldBack } from './held-back.ts';
import { forgetLease, leaseOf } from './lease.ts';
import { isSetAsideBy, OtherMoves } from './other-moves.tsx';
import type { Delivery } from './use-delivery.ts';
import type { ToDo } from './use-to-do.ts';
import { useWide } from '../../ui/page/use-phone.ts';
import { notifyWhoWasFirst, useMove, useMoves } from './use-moves.ts';

type MovesProps = { job: DeskJob; delivery: Delivery; toDo: ToDo; onMoved: () => void };

export function MovesPanel(props: MovesProps) {
  const { has, allowed, me, may } = useMoves(props.job);
  const wide = useWide();
  const setsAside = isSetAsideBy(props.job, me, may('direct'));
  if (!has('accept') && !has('hold') && !has('pass') && !has('reject')) return null;
  // A phone has the next move in its bar. Whoever may do any other move may do one of these.
  if (!wide && !setsAside && !allowed('return') && !allowed('reject') && !(props.job.holder && allowed('release')))
    return null;
  return (
    <Panel title="Moves">
      <div className="stack-small">
        {wide && <PrimaryMove {...props} />}
        <OtherMoves job={props.job} onMoved={props.onMoved} />
      </div>
    </Panel>
  );
}

/** On a phone the next move and the way to the customer stay at the bottom of the window. */
export function MoveBar({ onWrite, ...props }: MovesProps & { onWrite: () => void }) {
  const { has } = useMoves(props.job);
  if (useWide()) return null;
  return (
    <div className="phone-bar" role="group" aria-label="Next move">
      <Button variant="default" leftSection={<IconMessage size={17} />} onClick={onWrite}>
        Write
      </Button>
      {(has('accept') || has('hold') || has('pass')) && <PrimaryMove {...props} />}
    </div>
  );
}

/** The one move that comes next. */
function PrimaryMove(props: MovesProps) {
  const { job } = props;
  const { me, has, reason } = useMoves(job);
  const release = useHeldBack().find(({ jobId }) => jobId === job.id);
  if (release)
    return (
      <p className="second small" role="note">
        It goes to {release.to} in a few seconds. To change something, undo it first.
      </p>
    );
  const forget = () => forgetLease(job.id);
  if (job.status === 'queued')
    return (
      <Next key="accept" move="acceptJob" job={job} keys="a" icon={<IconCircleCheck size={16} />} onMoved={forget}>
        Accept
      </Next>
    );
  if (job.status === 'needs_review') return <Pass {...props} />;
  if (has('hold') && job.holder?.operator_id !== me)
    return (
      <Next
        key="take"
        move="holdJob"
        job={job}
        keys="h"
        icon={<IconHandStop size={16} />}
        reason={reason('hold')}
        onMoved={() => (forget(), notify('It is yours now.'))}
      >
        {job.holder ? 'Take over' : 'Take'}
      </Next>
    );
  if (job.status === 'accepted')
    return (
      <Next key="start" move="startJob" job={job} keys="s" icon={<IconPlayerPlay size={16} />} reason={reason('start')}>
        Start work
      </Next>
    );
  return job.status === 'running' ? <SubmitMove {...props} /> : null;
}

type NextProps = Omit<ComponentProps<typeof ActionButton>, 'onClick'> & {
  job: DeskJob;
  move: 'acceptJob' | 'holdJob' | 'startJob';
  onMoved?: () => void;
};

function Next({ job, move, onMoved = () => {}, ...button }: NextProps) {
  const { me } = useMoves(job);
  const { run, isPending } = useMove(move, job, `${job.status_changed_at}-${job.holder?.since}`);
  const body = { acceptJob: undefined, holdJob: {}, startJob: leaseOf(job) }[move];
  const onError = (error: Error) => void notifyWhoWasFirst(job.id, me, error);
  return <ActionButton {...button} loading={isPending} onClick={() => run({ body, onSuccess: onMoved, onError })} />;
}

function Pass({ job, onMoved }: MovesProps) {
  const { me, reason } = useMoves(job);
  const pass = () => {
    holdBack(job, me, { to: job.account?.name ?? 'the customer', delivers: true, move: { operation: 'passJob' } });
    onMoved();
  };
  return (
    <ActionButton keys="p" icon={<IconCircleCheck size={16} />} reason={reason('pass')} onClick={pass}>
      Pass
    </ActionButton>
  );
}

/** Asks first where something may be forgotten. Then the page holds the submission back for some seconds. */
function SubmitMove({ job, delivery, toDo, onMoved }: MovesProps) {
  const { me, reason } = useMoves(job);
  const [asks, setAsks] = useState(false);
  const { open, comments } = toDo;
  const unticked = open > 0 && `${open} of ${comments.length} changes ${open === 1 ? 'is' : 'are'} not ticked`;
  const doubts = [
    delivery.files.length === 0 && 'No file is attached: the customer gets the message alone.',
    unticked && `${unticked}. The customer reads them as not done.`,
  ].filter((doubt) => doubt !== false);
  const words = job.quality_review ? 'Submit for review' : 'Deliver';
  const submit = () => {
    setAsks(false);
    holdBack(job, me, {
      to: job.quality_review ? 'review' : (job.account?.name ?? 'the customer'),
      delivers: !job.quality_review,
      move: { operation: 'submitJob', body: bodyOf(job, delivery) },
    });
    onMoved();
  };
  return (
    <>
      <ActionButton
        keys="mod+Enter"
        icon={<IconSend size={16} />}
        reason={reason('submit') ?? checklistReason(job) ?? delivery.reason}
        onClick={doubts.length > 0 ? () => setAsks(true) : submit}
      >
        {words}
      </ActionButton>
      <span className="second small wide-only">
        {unticked ? `${unticked}; you are asked first.` : sayFiles(delivery)}
      </span>
      <FormDialog
        opened={asks}
        onClose={() => setAsks(false)}
        title="Is it complete?"
        submit={words}
        // It is held back for some seconds, and can be taken back.
        focusSubmit
        onSubmit={submit}
      >
        {doubts.map((doubt) => (
          <p key={doubt}>{doubt}</p>
        ))}
      </FormDialog>
    </>
  );
}

function checklistReason({ checklist }: DeskJob): string | null {
  const open = checklist.filter(({ ticked_at: at }) => at === null).length;
  return open === 0 ? null : `${open} of ${checklist.length} on the checklist ${open === 1 ? 'is' : 'are'} not ticked.`;
}

function bodyOf(job: DeskJob, { draft, files }: Delivery) {
  const message = draft.message.trim();
  return { ...leaseOf(job), ...(message && { message }), file_ids: files.map(({ id }) => id) };
}

function sayFiles({ files }: Delivery): string {
  if (files.length === 0) return 'No file yet.';
  const bytes = sayBytes(files.reduce((sum, { size_bytes: size }) => sum + size, 0));
  return `${files.length === 1 ? '1 file' : `${files.length} files`}, ${bytes}.`;
}
