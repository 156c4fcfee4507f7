import type { ReactNode } from 'react';
import { useDraft } from '../../app/session/draft.ts';
import { Confirm } from '../../ui/dialog/dialog.tsx';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { type Reason, ReasonFields } from '../job/reason-fields.tsx';
import { useColleagues } from '../job/use-colleagues.tsx';
import { useMacrosOfAll } from '../job/use-macros.tsx';
import { type BulkJob, sayJobs } from './bulk-moves.ts';
import type { BulkRequest } from './bulk-run.ts';

export type BulkDialogProps = {
  /** Those that allow the move. */
  jobs: BulkJob[];
  opened: boolean;
  onClose: () => void;
  onStart: (request: BulkRequest, done: string) => void;
};

export function HandOverAll({ jobs, opened, onClose, onStart }: BulkDialogProps) {
  const { to, isAlone, field, error } = useColleagues(opened);
  const run = () => {
    if (!to) return;
    onClose();
    onStart({ move: 'hold', body: { operator_id: to.id } }, `handed over to ${to.name}`);
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={`Hand over ${sayJobs(jobs.length)}`}
      submit="Hand over"
      focusSubmit={isAlone}
      onSubmit={run}
      action={{ error }}
      disabled={!to}
    >
      {field}
      <Titles jobs={jobs}>Whoever holds them loses them; the customers do not see this.</Titles>
    </FormDialog>
  );
}

export const PutAllBack = ({ jobs, opened, onClose, onStart }: BulkDialogProps) => (
  <Confirm
    opened={opened}
    onClose={onClose}
    title={`Put ${sayJobs(jobs.length)} back into the queue?`}
    confirm="Put back"
    pending={false}
    error={null}
    onConfirm={() => (onClose(), onStart({ move: 'release' }, 'put back into the queue'))}
  >
    <Titles jobs={jobs}>Whoever holds them loses them, a worker in the middle of its work too.</Titles>
  </Confirm>
);

export function RejectAll({ jobs, opened, onClose, onStart }: BulkDialogProps) {
  const [reason, setReason, forget] = useDraft<Reason>('reject-selected', { code: 'out_of_scope', message: '' });
  const macros = useMacrosOfAll();
  const message = reason.message.trim();
  const run = () => {
    onClose();
    forget();
    onStart({ move: 'reject', body: { ...reason, message } }, 'rejected');
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={`Reject ${sayJobs(jobs.length)}`}
      size={560}
      submit={`Reject ${sayJobs(jobs.length)}`}
      destructive
      onSubmit={run}
      disabled={message === ''}
    >
      <ReasonFields reason={reason} onChange={setReason} inserts={macros}>
        <Titles jobs={jobs}>
          The jobs end. Those of which nothing was delivered go back to their customers’ quota.
        </Titles>
      </ReasonFields>
    </FormDialog>
  );
}

const shown = 5;

/** Which jobs it meets, before it happens. */
export const Titles = ({ jobs, children }: { jobs: BulkJob[]; children: ReactNode }) => (
  <div className="stack-small small second">
    <span>{children}</span>
    <ul>
      {jobs.slice(0, shown).map(({ id, customer_title: title, account }) => (
        <li key={id} className="ellipsis">
          <span className="ink">{title}</span> {account.name}
        </li>
      ))}
      {jobs.length > shown && <li>and {sayJobs(jobs.length - shown)} more</li>}
    </ul>
  </div>
);
