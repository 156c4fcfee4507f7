import type { DeskJob } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { InsertField } from '../../ui/form/insert-field.tsx';
import { notify } from '../../ui/page/notify.ts';
import { forgetLease } from './lease.ts';
import { RejectForm } from './reject-form.tsx';
import { useColleagues } from './use-colleagues.tsx';
import { useMacros } from './use-macros.tsx';
import { useMove } from './use-moves.ts';

type Props = { job: DeskJob; opened: boolean; onClose: () => void };

export function HandOver({ job, opened, onClose }: Props) {
  const { to, field, error, form } = useColleagues(opened);
  const move = useMove('holdJob', job, `${to?.id}-${job.holder?.since}`);
  const handOver = () => {
    const onSuccess = () => (forgetLease(job.id), onClose(), notify(`Handed over to ${to?.name}.`));
    if (to) move.run({ body: { operator_id: to.id }, onSuccess });
  };
  return (
    <FormDialog
      {...form}
      onClose={onClose}
      title="Hand over"
      onSubmit={handOver}
      action={{ isPending: move.isPending, error: move.error ?? error }}
    >
      {field}
      <p className="small second">
        The status does not change, and the customer does not see this. Your colleague holds the job without a time
        limit.
      </p>
    </FormDialog>
  );
}

export function ReturnDialog({ job, opened, onClose }: Props) {
  const move = useMove('returnJob', job, job.status_changed_at);
  const [note, setNote, forget] = useDraft(`return-${job.id}`, '');
  const macros = useMacros(job);
  const onSuccess = () => (forget(), onClose(), notify('Returned for more work.'));
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Return the work"
      size={560}
      submit="Return it"
      onSubmit={() => move.run({ body: { note: note.trim() }, onSuccess })}
      action={move}
      fields={['note']}
      disabled={note.trim() === ''}
    >
      <InsertField
        label="What should change?"
        description="Internal: shown in the notes, never to the customer."
        minRows={4}
        required
        maxLength={10_000}
        value={note}
        onWrite={setNote}
        inserts={macros}
        error={fieldError(move.error, 'note')}
        data-autofocus
      />
      <p className="small second">The job goes back to the operator who held it, or to the next one who takes it.</p>
    </FormDialog>
  );
}

export function RejectDialog({ job, opened, onClose }: Props) {
  const move = useMove('rejectJob', job, job.status_changed_at);
  const macros = useMacros(job);
  const delivered = job.files.some(({ released_at: at }) => at !== null) || job.revisions.used > 0;
  return (
    <RejectForm
      draft={`reject-${job.id}`}
      opened={opened}
      onClose={onClose}
      title="Reject this job"
      submit="Reject the job"
      inserts={macros}
      action={move}
      onReject={(body, forget) => {
        const onSuccess = () => (
          forget(),
          forgetLease(job.id),
          onClose(),
          notify('Rejected. The customer is notified.')
        );
        move.run({ body, onSuccess });
      }}
    >
      {delivered
        ? 'The job ends. Something was delivered, so it stays counted.'
        : 'The job ends, and goes back to the customer’s quota.'}
    </RejectForm>
  );
}
