import type { CustomerAction } from '../../../contract/moves.ts';
import { type Job, useOperation } from '../../app/api.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { Confirm, Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { useDraft } from '../../app/session/draft.ts';
import { fieldError } from '../../ui/form/form.ts';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { notify } from '../../ui/page/notify.ts';
import { Textarea } from '../../ui/form/textarea.tsx';
import { roundWords } from '../../ui/job/words.ts';

type Props = { job: Job; submitted: boolean; dialog: CustomerAction | null; onClose: () => void };

export const JobDialogs = ({ job, submitted, dialog, onClose }: Props) => (
  <>
    <Approve job={job} opened={dialog === 'approve'} onClose={onClose} />
    <Cancel job={job} submitted={submitted} opened={dialog === 'cancel'} onClose={onClose} />
    <Revision job={job} opened={dialog === 'revision'} onClose={onClose} />
  </>
);

type DialogProps = { job: Job; opened: boolean; onClose: () => void };

function Approve({ job, opened, onClose }: DialogProps) {
  const approve = useOperation('approveJob');
  const key = useMoveKey(job.status_changed_at);
  const run = () =>
    approve.mutate(
      { path: { id: job.id }, idempotencyKey: key },
      { onSuccess: () => (onClose(), notify('Approved. The job is completed.')) },
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
      The job is then completed, and you cannot ask for more changes. The files stay here for{' '}
      {Math.max(...job.files.map(({ retention_days: days }) => days), 0) || 90} days.
    </Confirm>
  );
}

function Cancel({ job, submitted, opened, onClose }: DialogProps & { submitted: boolean }) {
  const cancel = useOperation('cancelJob');
  const key = useMoveKey(job.status_changed_at);
  const givesBack = (job.status === 'queued' || job.status === 'accepted') && !submitted;
  const run = () =>
    cancel.mutate(
      { path: { id: job.id }, idempotencyKey: key },
      { onSuccess: () => (onClose(), notify('The job is canceled.')) },
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
        ? 'The studio stops, and the job is returned to your quota.'
        : 'The studio stops. Work has begun, so the job stays counted.'}
    </Confirm>
  );
}

function Revision({ job, opened, onClose }: DialogProps) {
  const revise = useOperation('requestRevision');
  const [words, setWords, forget] = useDraft(`revision-${job.id}-${job.revisions.used}`, '');
  const key = useMoveKey(`${job.status_changed_at}-${words.trim()}`);
  const run = () =>
    revise.mutate(
      { path: { id: job.id }, body: { customer_instructions: words.trim() }, idempotencyKey: key },
      { onSuccess: () => (forget(), onClose(), notify('The studio has your changes.')) },
    );
  const wrong = fieldError(revise.error, 'customer_instructions');
  return (
    <Dialog opened={opened} onClose={onClose} title="Ask for changes" size={560}>
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
        <p className="small second">{roundWords(job.revisions)} The job goes to the front of the queue.</p>
        {revise.error && !wrong && <Failure error={revise.error} />}
        <DialogButtons onBack={onClose} type="submit" loading={revise.isPending} disabled={words.trim() === ''}>
          Send the changes
        </DialogButtons>
      </form>
    </Dialog>
  );
}
