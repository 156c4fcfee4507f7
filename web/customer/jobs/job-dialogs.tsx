import type { CustomerAction } from '../../../contract/moves.ts';
import { type Job, useOperation } from '../../app/api.ts';
import { Confirm } from '../../ui/dialog/dialog.tsx';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { useDraft } from '../../app/session/draft.ts';
import { fieldError } from '../../ui/form/form.ts';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { useAddress } from '../../ui/page/address.ts';
import { notify } from '../../ui/page/notify.ts';
import { Textarea } from '../../ui/form/textarea.tsx';
import { roundWords } from '../../ui/job/words.ts';
import { sayComments } from '../../app/say-comments.ts';

type Props = {
  job: Job;
  submitted: boolean;
  /** Comments that were not sent to the studio. */
  unsent: number;
  /** `round`: the delivery that was on the page when the dialog was opened. */
  dialog: { action: CustomerAction; round: number } | null;
  onClose: () => void;
};

export function JobDialogs({ job, submitted, unsent, dialog, onClose }: Props) {
  const of = (action: CustomerAction) => ({ job, opened: dialog?.action === action, onClose });
  const seen = { unsent, round: dialog?.round };
  return (
    <>
      <Approve {...of('approve')} {...seen} />
      <Cancel {...of('cancel')} submitted={submitted} />
      <Revision {...of('revision')} {...seen} />
    </>
  );
}

type DialogProps = { job: Job; opened: boolean; onClose: () => void };
type Seen = { unsent: number; round: number | undefined };

const theRound = (round: number | undefined) => (round === undefined ? {} : { round });

function Approve({ job, opened, onClose, unsent, round }: DialogProps & Seen) {
  const approve = useOperation('approveJob');
  const [, setAddress] = useAddress<'review'>();
  const look = () => {
    onClose();
    setAddress({ review: job.deliveries.at(-1)?.file_ids[0] }, { replace: false });
  };
  const key = useMoveKey(`${job.status_changed_at}-${round}`);
  const run = () =>
    approve.mutate(
      { path: { id: job.id }, query: theRound(round), idempotencyKey: key },
      { onSuccess: () => (onClose(), notify('Approved. The job is completed.')) },
    );
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title="Approve this work?"
      confirm={unsent > 0 ? `Approve without ${unsent === 1 ? 'it' : 'them'}` : 'Approve'}
      pending={approve.isPending}
      error={approve.error}
      onConfirm={run}
    >
      {unsent > 0 && (
        <p className="ink">
          {sayComments(unsent)} {unsent === 1 ? 'has' : 'have'} not been sent. The studio never reads{' '}
          {unsent === 1 ? 'it' : 'them'} if you approve now.{' '}
          <button type="button" className="text-button" onClick={look}>
            Look at {unsent === 1 ? 'it' : 'them'}
          </button>
        </p>
      )}
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

function Revision({ job, opened, onClose, unsent, round }: DialogProps & Seen) {
  const revise = useOperation('requestRevision');
  const [words, setWords, forget] = useDraft(`revision-${job.id}-${job.revisions.used}`, '');
  const key = useMoveKey(`${job.status_changed_at}-${round}-${words.trim()}`);
  // Comments alone are enough.
  const instructions = words.trim() === '' && unsent > 0 ? {} : { customer_instructions: words.trim() };
  const run = () =>
    revise.mutate(
      { path: { id: job.id }, body: { ...instructions, ...theRound(round) }, idempotencyKey: key },
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
          {sayComments(unsent)} on the files {unsent === 1 ? 'is' : 'are'} sent along.
        </p>
      )}
      <p className="small second">{roundWords(job.revisions)} The job goes to the front of the queue.</p>
    </FormDialog>
  );
}
