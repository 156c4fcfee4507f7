import type { ReactNode } from 'react';
import { rescheduleDays } from '../../../contract/desk/due-bounds.ts';
import { useDraft } from '../../app/session/draft.ts';
import { Confirm, FormDialog } from '../../ui/dialog/dialog.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { DueField, DueReason } from '../job/move-dialogs.tsx';
import { RejectForm } from '../job/reject-form.tsx';
import { useColleagues } from '../job/use-colleagues.tsx';
import { useMacrosOfAll } from '../job/use-macros.tsx';
import { type BulkJob, rescheduled, sayJobs } from './bulk-moves.ts';
import type { BulkRequest } from './bulk-run.ts';

type Props = {
  /** Those that allow the move. */
  jobs: BulkJob[];
  opened: boolean;
  onClose: () => void;
  onStart: (request: BulkRequest, done: string) => void;
};

export function HandOverAll({ jobs, opened, onClose, onStart }: Props) {
  const { to, body, field, error, form } = useColleagues(opened);
  const handOver = () => to && onStart({ move: 'hold', body }, `handed over to ${to.name}`);
  const title = `Hand over ${sayJobs(jobs.length)}`;
  return (
    <FormDialog {...form} onClose={onClose} title={title} onSubmit={handOver} action={{ error }}>
      {field}
      <Titles jobs={jobs}>Whoever holds them loses them; the customers do not see this.</Titles>
    </FormDialog>
  );
}

export const PutAllBack = ({ jobs, onStart, ...dialog }: Props) => (
  <Confirm
    {...dialog}
    title={`Put ${sayJobs(jobs.length)} back into the queue?`}
    confirm="Put back"
    pending={false}
    error={null}
    onConfirm={() => onStart({ move: 'release' }, 'put back into the queue')}
  >
    <Titles jobs={jobs}>Whoever holds them loses them, a worker in the middle of its work too.</Titles>
  </Confirm>
);

export const RejectAll = ({ jobs, onStart, ...dialog }: Props) => (
  <RejectForm
    {...dialog}
    draft="reject-selected"
    title={`Reject ${sayJobs(jobs.length)}`}
    submit={`Reject ${sayJobs(jobs.length)}`}
    inserts={useMacrosOfAll()}
    onReject={(body, forget) => {
      forget();
      onStart({ move: 'reject', body }, 'rejected');
    }}
  >
    <Titles jobs={jobs}>The jobs end. Those of which nothing was delivered go back to their customers’ quota.</Titles>
  </RejectForm>
);

/** All by the same number of days, because each job has a due date of its own. */
export function MoveAllDueDates({ jobs, onStart, ...dialog }: Props) {
  const [text, setText, forgetText] = useDraft('due-days-selected', '1');
  const [reason, setReason, forgetReason] = useDraft('due-reason-selected', '');
  const { businessHours } = useServiceNames();
  const days = Number(text);
  const valid = Number.isInteger(days) && days >= 1 && days < rescheduleDays;
  const move = () => {
    forgetText();
    forgetReason();
    const now = Date.now();
    const bodies = new Map(
      jobs.map((job) => [job.id, { ...rescheduled(job, days, now, businessHours), reason: reason.trim() }]),
    );
    onStart({ move: 'reschedule', bodies }, `moved by ${sayDays(days)}`);
  };
  return (
    <FormDialog
      {...dialog}
      title={`Move the due date of ${sayJobs(jobs.length)}`}
      size={560}
      submit={`Move ${sayJobs(jobs.length)}`}
      onSubmit={move}
      disabled={!valid || reason.trim() === ''}
    >
      <DueField
        type="number"
        min={1}
        max={rescheduleDays - 1}
        label={businessHours ? 'Working days later' : 'Days later'}
        description="From the due date of each job, or from now if it is over."
        choices={[1, 2, 7].map((choice) => ({ label: `+${sayDays(choice)}`, value: String(choice) }))}
        value={text}
        onChange={setText}
      />
      <DueReason description="The customers read it." value={reason} onChange={setReason} />
      <Titles jobs={jobs}>Where a question is open, the time that is left after its answer grows.</Titles>
    </FormDialog>
  );
}

const sayDays = (days: number) => (days === 1 ? '1 day' : `${days} days`);

const shown = 5;

/** Which jobs it meets, before it happens. */
const Titles = ({ jobs, children }: { jobs: BulkJob[]; children: ReactNode }) => (
  <div className="stack-small small second">
    <span>{children}</span>
    <ul>
      {jobs.slice(0, shown).map(({ id, customer_title: title, account }) => (
        <li key={id} className="one-line">
          <span className="ink">{title}</span> {account.name}
        </li>
      ))}
      {jobs.length > shown && <li>and {sayJobs(jobs.length - shown)} more</li>}
    </ul>
  </div>
);
