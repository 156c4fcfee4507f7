import type { CustomerAction } from '../../../contract/moves.ts';
import { type Job, type JobEvent, useOperation } from '../../app/api.ts';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { useDraft } from '../../app/session/draft.ts';
import { useUnsaved } from '../review/use-unsaved.ts';
import { Textarea } from '../../ui/form/fields.tsx';
import { fieldError, useMoveKey } from '../../ui/form/form.ts';
import { useAddress } from '../../ui/page/address.ts';
import { notify } from '../../ui/page/page.tsx';
import { counted, roundWords } from '../../ui/job/words.ts';

type Props = {
  job: Job;
  events: JobEvent[];
  unsent: number;
  /** `round`: the delivery that was on the page when the dialog was opened. */
  dialog: { action: CustomerAction; round: number } | null;
  onClose: () => void;
};

export function JobDialogs({ job, events, unsent, dialog, onClose }: Props) {
  const round = dialog?.round;
  const of = (action: CustomerAction) => ({ job, events, unsent, round, opened: dialog?.action === action, onClose });
  return (
    <>
      <Approve {...of('approve')} />
      <Cancel {...of('cancel')} />
      <Revision {...of('revision')} />
    </>
  );
}

type DialogProps = Pick<Props, 'job' | 'events' | 'unsent' | 'onClose'> & { round?: number; opened: boolean };

function Approve({ job, opened, onClose, unsent, round }: DialogProps) {
  const [, setAddress] = useAddress<'review'>();
  const look = () => {
    onClose();
    setAddress({ review: job.deliveries.at(-1)?.file_ids[0] }, { replace: false });
  };
  const idempotencyKey = useMoveKey(`${job.status_changed_at}-${round}`);
  return (
    <ConfirmOperation
      opened={opened}
      onClose={onClose}
      title="Approve this work?"
      confirm={unsent > 0 ? `Approve without ${unsent === 1 ? 'it' : 'them'}` : 'Approve'}
      operation="approveJob"
      input={{ path: { id: job.id }, query: { round }, idempotencyKey }}
      onDone={() => notify('Approved. The job is completed.')}
    >
      <NotSaved {...{ job, round, onClose }} />
      {unsent > 0 && (
        <p className="ink">
          {counted(unsent, 'comment')} {unsent === 1 ? 'has' : 'have'} not been sent. The studio never reads{' '}
          {unsent === 1 ? 'it' : 'them'} if you approve now.{' '}
          <button type="button" className="text-button" onClick={look}>
            Look at {unsent === 1 ? 'it' : 'them'}
          </button>
        </p>
      )}
      The job is then completed, and you cannot ask for more changes. The files stay here for{' '}
      {Math.max(...job.files.map(({ retention_days: days }) => days), 0) || 90} days.
    </ConfirmOperation>
  );
}

/** Of comments that only this browser has: the review saves them. */
function NotSaved({ job, round, onClose }: Pick<DialogProps, 'job' | 'round' | 'onClose'>) {
  const [, setAddress] = useAddress<'review'>();
  const [{ length }] = useUnsaved(job.id, round ?? 0);
  const look = () => {
    onClose();
    setAddress({ review: job.deliveries.at(-1)?.file_ids[0] }, { replace: false });
  };
  if (length === 0) return null;
  return (
    <p className="note turn">
      <strong>
        {counted(length, 'comment')} {length === 1 ? 'is' : 'are'} not saved.
      </strong>{' '}
      Only this browser has {length === 1 ? 'it' : 'them'}.{' '}
      <button type="button" className="text-button" onClick={look}>
        Try again
      </button>
    </p>
  );
}

function Cancel({ job, events, opened, onClose }: DialogProps) {
  const idempotencyKey = useMoveKey(job.status_changed_at);
  const submitted = events.some(({ type }) => type === 'job.submitted');
  const givesBack = (job.status === 'queued' || job.status === 'accepted') && !submitted;
  return (
    <ConfirmOperation
      opened={opened}
      onClose={onClose}
      title="Cancel this job?"
      confirm="Cancel the job"
      destructive
      operation="cancelJob"
      input={{ path: { id: job.id }, idempotencyKey }}
      onDone={() => notify('The job is canceled.')}
    >
      {givesBack
        ? 'The studio stops, and the job is returned to your quota.'
        : 'The studio stops. Work has begun, so the job stays counted.'}
    </ConfirmOperation>
  );
}

function Revision({ job, opened, onClose, unsent, round }: DialogProps) {
  const revise = useOperation('requestRevision');
  const [words, setWords, forget] = useDraft(`revision-${job.id}-${job.revisions.used}`, '');
  const key = useMoveKey(`${job.status_changed_at}-${round}-${words.trim()}`);
  const run = () =>
    revise.mutate(
      // Comments alone are enough.
      { path: { id: job.id }, body: { customer_instructions: words.trim() || undefined, round }, idempotencyKey: key },
      { onSuccess: () => (forget(), onClose(), notify('The studio has your changes.')) },
    );
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Ask for changes"
      size={560}
      submit="Send the changes"
      onSubmit={run}
      action={revise}
      fields={['customer_instructions']}
      disabled={words.trim() === '' && unsent === 0}
    >
      <NotSaved {...{ job, round, onClose }} />
      <Textarea
        label="What should change?"
        description="As concretely as you can: what, where, and how you will know that it is right."
        minRows={5}
        required={unsent === 0}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        error={fieldError(revise.error, 'customer_instructions')}
        data-autofocus
      />
      {unsent > 0 && (
        <p className="small">
          {counted(unsent, 'comment')} on the files {unsent === 1 ? 'is' : 'are'} sent along.
        </p>
      )}
      <p className="small second">{roundWords(job.revisions)} The job goes to the front of the queue.</p>
    </FormDialog>
  );
}
