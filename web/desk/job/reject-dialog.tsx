import { type DeskJob, useOperation } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { notify } from '../../ui/page/notify.ts';
import { forgetLease } from './lease.ts';
import { type Reason, ReasonFields } from './reason-fields.tsx';
import { useMacros } from './use-macros.tsx';

type Props = { job: DeskJob; opened: boolean; onClose: () => void };

export function RejectDialog({ job, opened, onClose }: Props) {
  const reject = useOperation('rejectJob');
  const key = useMoveKey(`reject-${job.status_changed_at}`);
  const [reason, setReason, forget] = useDraft<Reason>(`reject-${job.id}`, { code: 'out_of_scope', message: '' });
  const macros = useMacros(job);
  const run = () =>
    reject.mutate(
      { path: { id: job.id }, body: { ...reason, message: reason.message.trim() }, idempotencyKey: key },
      { onSuccess: () => (forget(), forgetLease(job.id), onClose(), notify('Rejected. The customer is notified.')) },
    );
  const delivered = job.files.some(({ released_at: at }) => at !== null) || job.revisions.used > 0;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Reject this job"
      size={560}
      submit="Reject the job"
      destructive
      onSubmit={run}
      action={reject}
      fields={['message']}
      disabled={reason.message.trim() === ''}
    >
      <ReasonFields reason={reason} onChange={setReason} inserts={macros} error={fieldError(reject.error, 'message')}>
        {delivered
          ? 'The job ends. Something was delivered, so it stays counted.'
          : 'The job ends, and goes back to the customer’s quota.'}
      </ReasonFields>
    </FormDialog>
  );
}
