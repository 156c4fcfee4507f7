import { Button, Group, TextInput } from '@mantine/core';
import { rescheduleDays } from '../../../contract/desk/due-bounds.ts';
import { useDraft } from '../../app/session/draft.ts';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { Textarea } from '../../ui/form/textarea.tsx';
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
    <Dialog opened={opened} onClose={onClose} title={`Move the due date of ${sayJobs(jobs.length)}`} size={560}>
      <form className="stack" onSubmit={(event) => (event.preventDefault(), run())}>
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
          <Group gap={6}>
            {[1, 2, 7].map((choice) => (
              <Button key={choice} variant="default" size="compact-sm" onClick={() => setText(String(choice))}>
                +{sayDays(choice)}
              </Button>
            ))}
          </Group>
        </div>
        <Textarea
          label="Reason"
          description="The customers read it."
          minRows={3}
          required
          withAsterisk={false}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Titles jobs={jobs}>Where a question is open, the time that is left after its answer grows.</Titles>
        <DialogButtons onBack={onClose} type="submit" disabled={!valid || reason.trim() === ''}>
          Move {sayJobs(jobs.length)}
        </DialogButtons>
      </form>
    </Dialog>
  );
}

const sayDays = (days: number) => (days === 1 ? '1 day' : `${days} days`);
