import { Select } from '@mantine/core';
import { type DeskJob, type Input, useOperation } from '../../app/api.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { useDraft } from '../../app/session/draft.ts';
import { fieldError } from '../../ui/form/form.ts';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { Textarea } from '../../ui/form/textarea.tsx';
import { forgetLease } from './lease.ts';
import { notify } from '../../ui/page/notify.ts';
import { Rejection } from '../../ui/job/rejection.tsx';
import { rejectionWords } from '../../ui/job/words.ts';

type Reason = Input<'rejectJob'>['body'];
type Props = { job: DeskJob; opened: boolean; onClose: () => void };

/** Previews the rejection as the customer will read it. */
export function RejectDialog({ job, opened, onClose }: Props) {
  const reject = useOperation('rejectJob');
  const key = useMoveKey(`reject-${job.status_changed_at}`);
  const [reason, setReason, forget] = useDraft<Reason>(`reject-${job.id}`, { code: 'out_of_scope', message: '' });
  const run = () =>
    reject.mutate(
      { path: { id: job.id }, body: { ...reason, message: reason.message.trim() }, idempotencyKey: key },
      { onSuccess: () => (forget(), forgetLease(job.id), onClose(), notify('Rejected. The customer is notified.')) },
    );
  const wrong = fieldError(reject.error, 'message');
  const delivered = job.files.some(({ released_at: at }) => at !== null) || job.revisions.used > 0;
  return (
    <Dialog opened={opened} onClose={onClose} title="Reject this job" size={560}>
      <form className="stack" onSubmit={(event) => (event.preventDefault(), run())}>
        <Select
          label="Reason"
          data={Object.entries(rejectionWords).map(([value, label]) => ({ value, label }))}
          value={reason.code}
          onChange={(code) => setReason({ ...reason, code: code as Reason['code'] })}
        />
        <Textarea
          label="Message to the customer"
          minRows={3}
          required
          withAsterisk={false}
          maxLength={2_000}
          value={reason.message}
          onChange={(event) => setReason({ ...reason, message: event.currentTarget.value })}
          error={wrong}
          data-autofocus
        />
        <section aria-label="What the customer will read" className="stack-small">
          <span className="small second">What the customer will read</span>
          <Rejection
            code={reason.code}
            message={reason.message.trim() || <span className="third">Your message</span>}
          />
          <span className="small second">
            {delivered
              ? 'The job ends. Something was delivered, so it stays counted.'
              : 'The job ends, and goes back to the customer’s quota.'}
          </span>
        </section>
        {reject.error && !wrong && <Failure error={reject.error} />}
        <DialogButtons
          onBack={onClose}
          type="submit"
          color="bad"
          loading={reject.isPending}
          disabled={reason.message.trim() === ''}
        >
          Reject the job
        </DialogButtons>
      </form>
    </Dialog>
  );
}
