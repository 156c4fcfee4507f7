import { type DeskJob, useOperation } from '../../app/api.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { useDraft } from '../../app/session/draft.ts';
import { fieldError } from '../../ui/form/form.ts';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { InsertField } from '../../ui/form/insert-field.tsx';
import { notify } from '../../ui/page/notify.ts';
import { useMacros } from './use-macros.tsx';

type Props = { job: DeskJob; opened: boolean; onClose: () => void };

export function ReturnDialog({ job, opened, onClose }: Props) {
  const send = useOperation('returnJob');
  const key = useMoveKey(`return-${job.status_changed_at}`);
  const [note, setNote, forget] = useDraft(`return-${job.id}`, '');
  const macros = useMacros(job);
  const run = () =>
    send.mutate(
      { path: { id: job.id }, body: { note: note.trim() }, idempotencyKey: key },
      { onSuccess: () => (forget(), onClose(), notify('Returned for more work.')) },
    );
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Return the work"
      size={560}
      submit="Return it"
      onSubmit={run}
      action={send}
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
        error={fieldError(send.error, 'note')}
        data-autofocus
      />
      <p className="small second">The job goes back to the operator who held it, or to the next one who takes it.</p>
    </FormDialog>
  );
}
