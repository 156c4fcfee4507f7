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
  const { choices, ...input } = stands ? hoursField(job) : dateField(job);
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
      <div className="stack-small">
        <TextInput
          {...input}
          value={value}
          onChange={(event) => setChosen(event.currentTarget.value)}
          error={error(stands ? 'remaining_seconds' : 'due_at')}
          data-autofocus
        />
        <Quick choices={choices} onChange={setChosen} />
      </div>
      <DueReason description="The customer reads it." value={reason} onChange={setReason} error={error('reason')} />
    </FormDialog>
  );
}

const dueOf = (value: string) => {
  const due_at = fromField(value);
  return due_at === null ? null : { due_at };
};

function dateField({ due_at }: DeskJob) {
  const due = due_at === null ? null : Date.parse(due_at);
  return {
    type: 'datetime-local',
    label: isUtc() ? 'New due date (UTC)' : 'New due date',
    description: due === null ? undefined : `Now ${sayDue(due)}`,
    choices: quickDates(due, Date.now()).map(({ label, at }) => ({ label, value: asField(at) })),
  };
}

const asHours = (seconds: number | null) => String(Math.max(0, Math.round((seconds ?? 0) / hour)));

const remainingOf = (value: string) => {
  const hours = Number(value);
  return Number.isInteger(hours) && hours > 0 ? { remaining_seconds: hours * hour } : null;
};

function hoursField({ remaining_seconds }: DeskJob) {
  const left = Math.max(0, remaining_seconds ?? 0);
  const later = (days: number) => asHours(left + days * 24 * hour);
  return {
    type: 'number',
    min: 1,
    label: 'Hours left after the answer',
    description: `The clock stands still. ${left === 0 ? 'Nothing' : sayDuration(left * 1_000)} is left on it.`,
    choices: [
      { label: '+1 day', value: later(1) },
      { label: '+2 days', value: later(2) },
    ],
  };
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
