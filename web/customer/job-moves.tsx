import { Button, Modal, Textarea } from '@mantine/core';
import { IconCircleCheck, IconRotate } from '@tabler/icons-react';
import { useState } from 'react';
import { type CustomerAction, isEnded } from '../../contract/moves.ts';
import { type Job, useOperation } from '../api.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Failure } from '../ui/failure.tsx';
import { DialogButtons, Confirm, fieldError, useDraft } from '../ui/form.tsx';
import { Panel } from '../ui/page.tsx';
import { actionWords } from '../ui/words.ts';
import { say } from '../ui/say.ts';

type Props = { job: Job; submitted: boolean };

/** What the customer can do now, and what follows from it. Offered exactly where the service would allow it. */
export function JobMoves({ job, submitted }: Props) {
  const [asked, setAsked] = useState<CustomerAction | null>(null);
  const close = () => setAsked(null);
  const yours = job.status === 'ready_for_customer_review';
  if (isEnded(job.status)) return null;
  return (
    <div className={yours ? 'moves sticky' : 'moves'}>
      <Panel title={yours ? 'Your turn' : 'The studio has it'}>
        <div className="stack-small">
          {yours && (
            <>
              <ActionButton keys="a" icon={<IconCircleCheck size={16} />} onClick={() => setAsked('approve')} fullWidth>
                {actionWords.approve}
              </ActionButton>
              <ActionButton
                keys="r"
                variant="default"
                icon={<IconRotate size={16} />}
                reason={whyNoRevision(job)}
                onClick={() => setAsked('revision')}
                fullWidth
              >
                {actionWords.revision}
              </ActionButton>
              <p className="small second">Approving ends the job. {roundWords(job)}</p>
            </>
          )}
          {job.allowed_actions.includes('cancel') && (
            <>
              <p className="small second">You are told here and by mail when there is something to see.</p>
              <Button variant="subtle" color="bad" onClick={() => setAsked('cancel')}>
                {actionWords.cancel}
              </Button>
            </>
          )}
        </div>
      </Panel>
      <Approve job={job} opened={asked === 'approve'} onClose={close} />
      <Cancel job={job} submitted={submitted} opened={asked === 'cancel'} onClose={close} />
      <Revision job={job} opened={asked === 'revision'} onClose={close} />
    </div>
  );
}

function whyNoRevision({ revisions: { used, included }, allowed_actions }: Job): string | null {
  if (allowed_actions.includes('revision')) return null;
  if (included === 0) return 'This service includes no rounds of changes.';
  if (used >= included) return `All ${included} rounds of changes are used.`;
  return 'Asking for changes needs an active plan.';
}

const roundWords = ({ revisions: { used, included } }: Job) =>
  used < included ? `Changes use round ${used + 1} of ${included} and cost nothing.` : '';

type DialogProps = { job: Job; opened: boolean; onClose: () => void };

/** One Idempotency-Key for a move as long as the page is open: pressing twice moves once. */
const useMoveKey = () => useState(() => crypto.randomUUID())[0];

function Approve({ job, opened, onClose }: DialogProps) {
  const approve = useOperation('approveJob');
  const key = useMoveKey();
  const run = () =>
    approve.mutate(
      { path: { id: job.id }, idempotencyKey: key },
      { onSuccess: () => (onClose(), say('Approved. The job is completed.')) },
    );
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title="Approve this work?"
      confirm="Approve"
      pending={approve.isPending}
      error={approve.error}
      onConfirm={run}
    >
      The job is completed then, and no more changes can be asked for. The files stay here for{' '}
      {Math.max(...job.files.map(({ retention_days: days }) => days), 0) || 90} days.
    </Confirm>
  );
}

function Cancel({ job, submitted, opened, onClose }: DialogProps & { submitted: boolean }) {
  const cancel = useOperation('cancelJob');
  const key = useMoveKey();
  const givesBack = (job.status === 'queued' || job.status === 'accepted') && !submitted;
  const run = () =>
    cancel.mutate(
      { path: { id: job.id }, idempotencyKey: key },
      { onSuccess: () => (onClose(), say('The job is canceled.')) },
    );
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title="Cancel this job?"
      confirm="Cancel the job"
      destructive
      pending={cancel.isPending}
      error={cancel.error}
      onConfirm={run}
    >
      {givesBack
        ? 'The studio stops, and the job goes back to your quota.'
        : 'The studio stops. Work has begun, so the job stays counted.'}
    </Confirm>
  );
}

function Revision({ job, opened, onClose }: DialogProps) {
  const revise = useOperation('requestRevision');
  const key = useMoveKey();
  const [words, setWords, forget] = useDraft(`revision-${job.id}-${job.revisions.used}`, '');
  const run = () =>
    revise.mutate(
      { path: { id: job.id }, body: { customer_instructions: words.trim() }, idempotencyKey: key },
      { onSuccess: () => (forget(), onClose(), say('The studio has your changes.')) },
    );
  const wrong = fieldError(revise.error, 'customer_instructions');
  return (
    <Modal opened={opened} onClose={onClose} title="Ask for changes" size={560}>
      <form className="stack" onSubmit={(event) => (event.preventDefault(), run())}>
        <Textarea
          label="What should change?"
          description="As concretely as you can: what, where, and how you will know that it is right."
          minRows={5}
          required
          withAsterisk={false}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          error={wrong}
          data-autofocus
        />
        <p className="small second">{roundWords(job)} The job goes to the front of the queue.</p>
        {revise.error && !wrong && <Failure error={revise.error} />}
        <DialogButtons onBack={onClose} type="submit" loading={revise.isPending} disabled={words.trim() === ''}>
          Send the changes
        </DialogButtons>
      </form>
    </Modal>
  );
}
