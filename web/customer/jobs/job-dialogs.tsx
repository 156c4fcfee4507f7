import type { Job, JobEvent } from '../../app/api.ts';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { useMoveKey } from '../../ui/form/form.ts';
import { useAddress } from '../../ui/page/address.ts';
import { notify } from '../../ui/page/page.tsx';
import { openCount } from '../review/mode.ts';
import { Decision } from '../review/review-moves.tsx';
import { useComments } from '../review/use-comments.ts';

export type JobDialog = {
  action: 'approve' | 'revision' | 'cancel';
  /** The delivery that was on the page when the dialog was opened. */
  round: number;
};

type Props = {
  job: Job;
  events: JobEvent[];
  unsent: number;
  dialog: JobDialog | null;
  onClose: () => void;
};

export function JobDialogs({ dialog, ...props }: Props) {
  if (dialog === null) return null;
  const { action, round } = dialog;
  return action === 'cancel' ? <Cancel {...props} /> : <Decide {...props} move={action} round={round} />;
}

type DecideProps = Omit<Props, 'dialog'> & { move: 'approve' | 'revision'; round: number };

/** The decision that the review offers, too, with what it knows of unsaved comments. */
function Decide({ job, move, round, unsent, onClose }: DecideProps) {
  const [, setAddress] = useAddress<'review'>();
  const newest = job.deliveries.at(-1);
  const waits = job.status === 'ready_for_customer_review' && newest?.round === round;
  const { stored, unsaved, isLoading } = useComments(job.id, round, waits);
  const counts = isLoading ? { count: unsent, settled: 0 } : openCount(stored);
  const onLook = () => {
    onClose();
    setAddress({ review: newest?.file_ids[0] }, { replace: false });
  };
  return <Decision {...{ job, move, round, ...counts, unsaved, onClose, onLook }} />;
}

function Cancel({ job, events, onClose }: Omit<Props, 'dialog'>) {
  const idempotencyKey = useMoveKey(job.status_changed_at);
  const submitted = events.some(({ type }) => type === 'job.submitted');
  const givesBack = (job.status === 'queued' || job.status === 'accepted') && !submitted;
  return (
    <ConfirmOperation
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
