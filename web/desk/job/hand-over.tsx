import { type DeskJob, useOperation } from '../../app/api.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { notify } from '../../ui/page/notify.ts';
import { forgetLease } from './lease.ts';
import { useColleagues } from './use-colleagues.tsx';

type Props = { job: DeskJob; opened: boolean; onClose: () => void };

export function HandOver({ job, opened, onClose }: Props) {
  const { to, isAlone, field, error } = useColleagues(opened);
  const hold = useOperation('holdJob');
  const key = useMoveKey(`${to?.id}-${job.holder?.since}`);
  const run = () =>
    to &&
    hold.mutate(
      { path: { id: job.id }, body: { operator_id: to.id }, idempotencyKey: key },
      { onSuccess: () => (forgetLease(job.id), onClose(), notify(`Handed over to ${to.name}.`)) },
    );
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Hand over"
      submit="Hand over"
      focusSubmit={isAlone}
      onSubmit={run}
      action={{ isPending: hold.isPending, error: hold.error ?? error }}
      disabled={!to}
    >
      {field}
      <p className="small second">
        The status does not change, and the customer does not see this. Your colleague holds the job without a time
        limit.
      </p>
    </FormDialog>
  );
}
