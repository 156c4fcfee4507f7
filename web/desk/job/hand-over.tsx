import { type DeskJob, useOperation } from '../../app/api.ts';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { Failure } from '../../ui/page/failure.tsx';
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
    <Dialog opened={opened} onClose={onClose} title="Hand over">
      <form className="stack" onSubmit={(event) => (event.preventDefault(), run())}>
        {field}
        <p className="small second">
          The status does not change, and the customer does not see this. Your colleague holds the job without a time
          limit.
        </p>
        {(hold.error ?? error) && <Failure error={(hold.error ?? error)!} />}
        <DialogButtons onBack={onClose} type="submit" data-autofocus={isAlone} loading={hold.isPending} disabled={!to}>
          Hand over
        </DialogButtons>
      </form>
    </Dialog>
  );
}
