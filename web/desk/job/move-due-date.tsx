import { Button, Group, TextInput } from '@mantine/core';
import { useDraft } from '../../app/session/draft.ts';
import type { DeskJob } from '../../app/api.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { Textarea } from '../../ui/form/textarea.tsx';
import { notify } from '../../ui/page/notify.ts';
import { isUtc } from '../../ui/time/day.ts';
import { sayDuration } from '../../ui/time/duration.ts';
import { sayDue, useUtc } from '../../ui/time/time.tsx';
import { asField, fromField, quickDates } from './due-choice.ts';
import { useMove } from './use-moves.ts';

const hour = 3_600;

/** While the clock stands still there is no date: then the hours that are left on it change. */
export function MoveDueDate({ job, opened, onClose }: { job: DeskJob; opened: boolean; onClose: () => void }) {
  useUtc();
  const stands = job.waiting_since !== null;
  const now = stands ? asHours(job.remaining_seconds) : job.due_at ? asField(Date.parse(job.due_at)) : '';
  const [chosen, setChosen, forgetChosen] = useDraft<string | null>(`due-${stands}-${job.id}`, null);
  const [reason, setReason, forgetReason] = useDraft(`due-reason-${job.id}`, '');
  const value = chosen ?? now;
  const change = stands ? remainingOf(value) : dueOf(value);
  const body = { ...change, reason: reason.trim() };
  const move = useMove('rescheduleJob', job, `${job.updated_at}-${JSON.stringify(body)}`);
  const onSuccess = () => (forgetChosen(), forgetReason(), onClose(), notify('Moved. The customer reads the reason.'));
  const error = (name: string) => fieldError(move.error, name);
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Move the due date"
      size={560}
      submit="Move it"
      onSubmit={() => move.run({ body, onSuccess })}
      action={move}
      fields={['due_at', 'remaining_seconds', 'reason']}
      disabled={change === null || value === now || reason.trim() === ''}
    >
      {stands ? (
        <HoursField job={job} value={value} onChange={setChosen} error={error('remaining_seconds')} />
      ) : (
        <DateField job={job} value={value} onChange={setChosen} error={error('due_at')} />
      )}
      <DueReason description="The customer reads it." value={reason} onChange={setReason} error={error('reason')} />
    </FormDialog>
  );
}

type FieldProps = { job: DeskJob; value: string; onChange: (value: string) => void; error: string | null };

const dueOf = (value: string) => {
  const due_at = fromField(value);
  return due_at === null ? null : { due_at };
};

function DateField({ job, value, onChange, error }: FieldProps) {
  const due = job.due_at === null ? null : Date.parse(job.due_at);
  return (
    <div className="stack-small">
      <TextInput
        type="datetime-local"
        label={isUtc() ? 'New due date (UTC)' : 'New due date'}
        description={due === null ? undefined : `Now ${sayDue(due)}`}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        data-autofocus
      />
      <Quick
        choices={quickDates(due, Date.now()).map(({ label, at }) => ({ label, value: asField(at) }))}
        onChange={onChange}
      />
    </div>
  );
}

const asHours = (seconds: number | null) => String(Math.max(0, Math.round((seconds ?? 0) / hour)));

const remainingOf = (value: string) => {
  const hours = Number(value);
  return Number.isInteger(hours) && hours > 0 ? { remaining_seconds: hours * hour } : null;
};

function HoursField({ job, value, onChange, error }: FieldProps) {
  const left = Math.max(0, job.remaining_seconds ?? 0);
  const later = (days: number) => asHours(left + days * 24 * hour);
  return (
    <div className="stack-small">
      <TextInput
        type="number"
        min={1}
        label="Hours left after the answer"
        description={`The clock stands still. ${left === 0 ? 'Nothing' : sayDuration(left * 1_000)} is left on it.`}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        data-autofocus
      />
      <Quick
        choices={[
          { label: '+1 day', value: later(1) },
          { label: '+2 days', value: later(2) },
        ]}
        onChange={onChange}
      />
    </div>
  );
}

type ReasonProps = { description: string; value: string; onChange: (reason: string) => void; error?: string | null };

export const DueReason = ({ onChange, ...field }: ReasonProps) => (
  <Textarea
    label="Reason"
    minRows={3}
    required
    maxLength={500}
    onChange={(event) => onChange(event.currentTarget.value)}
    {...field}
  />
);

type QuickProps = { choices: { label: string; value: string }[]; onChange: (value: string) => void };

export const Quick = ({ choices, onChange }: QuickProps) => (
  <Group gap={6}>
    {choices.map(({ label, value }) => (
      <Button key={label} variant="default" size="compact-sm" onClick={() => onChange(value)}>
        {label}
      </Button>
    ))}
  </Group>
);
