import { TextInput } from '@mantine/core';
import { rescheduleDays } from '../../../contract/desk/due-bounds.ts';
import { useDraft } from '../../app/session/draft.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { DueReason, Quick } from '../job/move-due-date.tsx';
import { type BulkDialogProps, Titles } from './bulk-dialogs.tsx';
import { rescheduled, sayJobs } from './bulk-moves.ts';

/** All by the same number of days, because each job has a due date of its own. */
export function MoveAllDueDates({ jobs, opened, onClose, onStart }: BulkDialogProps) {
  const [text, setText, forgetText] = useDraft('due-days-selected', '1');
  const [reason, setReason, forgetReason] = useDraft('due-reason-selected', '');
  const days = Number(text);
  const valid = Number.isInteger(days) && days >= 1 && days < rescheduleDays;
  const run = () => {
    onClose();
    forgetText();
    forgetReason();
    const now = Date.now();
    const bodies = new Map(jobs.map((job) => [job.id, { ...rescheduled(job, days, now), reason: reason.trim() }]));
    onStart({ move: 'reschedule', bodies }, `moved by ${sayDays(days)}`);
  };
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={`Move the due date of ${sayJobs(jobs.length)}`}
      size={560}
      submit={`Move ${sayJobs(jobs.length)}`}
      onSubmit={run}
      disabled={!valid || reason.trim() === ''}
    >
      <div className="stack-small">
        <TextInput
          type="number"
          min={1}
          max={rescheduleDays - 1}
          label="Days later"
          description="From the due date of each job, or from now if it is over."
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        <Quick
          choices={[1, 2, 7].map((choice) => ({ label: `+${sayDays(choice)}`, value: String(choice) }))}
          onChange={setText}
        />
      </div>
      <DueReason description="The customers read it." value={reason} onChange={setReason} />
      <Titles jobs={jobs}>Where a question is open, the time that is left after its answer grows.</Titles>
    </FormDialog>
  );
}

const sayDays = (days: number) => (days === 1 ? '1 day' : `${days} days`);
