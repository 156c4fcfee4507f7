import { Button, Group, TextInput, type TextInputProps } from '@mantine/core';
import type { BusinessHours } from '../../../contract/studio/business-time.ts';
import type { DeskJob } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useDraft } from '../../app/session/draft.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { Textarea } from '../../ui/form/fields.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { InsertField } from '../../ui/form/insert-field.tsx';
import { notify } from '../../ui/page/page.tsx';
import { isUtc } from '../../ui/time/day.ts';
import { sayDuration } from '../../ui/time/duration.ts';
import { sayDue, useUtc } from '../../ui/time/time.tsx';
import { asField, fromField, quickDates, sayOutside } from './due-choice.ts';
import { submitterOf } from './done-by.ts';
import { holdBack } from './held-back.ts';
import { jobReads } from './job.reads.ts';
import { forgetLease } from './lease.ts';
import { RejectForm } from './reject-form.tsx';
import { useColleagues } from './use-colleagues.tsx';
import { useMacros } from './use-macros.tsx';
import { useMove, useMoves } from './use-moves.ts';

type Props = { job: DeskJob; opened: boolean; onClose: () => void };

export function HandOver({ job, opened, onClose }: Props) {
  const { to, body, field, error, form } = useColleagues(opened);
  const move = useMove('holdJob', job, `${JSON.stringify(body)}-${job.holder?.since}`);
  const handOver = () => {
    const onSuccess = () => (forgetLease(job.id), onClose(), notify(`Handed over to ${to?.name}.`));
    if (to) move.run({ body, onSuccess });
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

/** The page holds it back for some seconds, and keeps the note until it was sent. */
export function ReturnDialog({ job, onMoved, ...dialog }: Props & { onMoved: () => void }) {
  const { me } = useMoves(job);
  const [note, setNote] = useDraft(`return-${job.id}`, '');
  const macros = useMacros(job);
  const events = useRead(useReads(jobReads).job).data?.events ?? [];
  const giveBack = () => {
    dialog.onClose();
    // A person who submitted it holds it again. Of a worker, nobody does.
    const maker = job.worked_by && submitterOf(job, events);
    const move = { operation: 'returnJob' as const, body: { note: note.trim() } };
    holdBack(job, me, { to: maker ?? 'the queue', delivers: false, move });
    onMoved();
  };
  return (
    <FormDialog
      {...dialog}
      title="Return the work"
      size={560}
      submit="Return it"
      onSubmit={giveBack}
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
        data-autofocus
      />
      <p className="small second">The job goes back to the operator who held it, or to the next one who takes it.</p>
    </FormDialog>
  );
}

export function RejectDialog({ job, ...dialog }: Props) {
  const move = useMove('rejectJob', job, job.status_changed_at);
  const macros = useMacros(job);
  const delivered = job.files.some(({ released_at: at }) => at !== null) || job.revisions.used > 0;
  return (
    <RejectForm
      {...dialog}
      draft={`reject-${job.id}`}
      title="Reject this job"
      submit="Reject the job"
      inserts={macros}
      action={move}
      onReject={(body, forget) => {
        const onSuccess = () => (
          forget(),
          forgetLease(job.id),
          dialog.onClose(),
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

const hour = 3_600;

/** While the clock stands still there is no date: then the hours that are left on it change. */
export function MoveDueDate({ job, ...dialog }: Props) {
  useUtc();
  const { businessHours } = useServiceNames();
  const stands = job.waiting_since !== null;
  const now = stands ? asHours(job.remaining_seconds) : job.due_at ? asField(Date.parse(job.due_at)) : '';
  const [chosen, setChosen, forgetChosen] = useDraft<string | null>(`due-${stands}-${job.id}`, null);
  const [reason, setReason, forgetReason] = useDraft(`due-reason-${job.id}`, '');
  const value = chosen ?? now;
  const change = stands ? remainingOf(value) : dueOf(value);
  const body = { ...change, reason: reason.trim() };
  const move = useMove('rescheduleJob', job, `${job.updated_at}-${JSON.stringify(body)}`);
  const onSuccess = () => (
    forgetChosen(),
    forgetReason(),
    dialog.onClose(),
    notify('Moved. The customer reads the reason.')
  );
  const error = (name: string) => fieldError(move.error, name);
  return (
    <FormDialog
      {...dialog}
      title="Move the due date"
      size={560}
      submit="Move it"
      onSubmit={() => move.run({ body, onSuccess })}
      action={move}
      fields={['due_at', 'remaining_seconds', 'reason']}
      disabled={change === null || value === now || reason.trim() === ''}
    >
      <DueField
        {...(stands ? hoursField(job) : dateField(job, businessHours))}
        hint={stands ? null : sayOutside(businessHours, fromField(value))}
        value={value}
        onChange={setChosen}
        error={error(stands ? 'remaining_seconds' : 'due_at')}
      />
      <DueReason description="The customer reads it." value={reason} onChange={setReason} error={error('reason')} />
    </FormDialog>
  );
}

const dueOf = (value: string) => {
  const due_at = fromField(value);
  return due_at === null ? null : { due_at };
};

function dateField({ due_at }: DeskJob, business: BusinessHours | null) {
  const due = due_at === null ? null : Date.parse(due_at);
  return {
    type: 'datetime-local',
    label: isUtc() ? 'New due date (UTC)' : 'New due date',
    description: due === null ? undefined : `Now ${sayDue(due)}`,
    choices: quickDates(due, Date.now(), business).map(({ label, at }) => ({ label, value: asField(at) })),
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

type FieldProps = Omit<TextInputProps, 'value' | 'onChange'> & {
  choices: { label: string; value: string }[];
  hint?: string | null;
  value: string;
  onChange: (value: string) => void;
};

/** A field, and buttons for what is chosen most. */
export const DueField = ({ choices, hint, onChange, ...input }: FieldProps) => (
  <div className="stack-small">
    <TextInput {...input} onChange={(event) => onChange(event.currentTarget.value)} data-autofocus />
    <Group gap={6}>
      {choices.map(({ label, value }) => (
        <Button key={label} variant="default" size="compact-sm" onClick={() => onChange(value)}>
          {label}
        </Button>
      ))}
    </Group>
    {hint && (
      <span className="small turn" role="status">
        {hint}
      </span>
    )}
  </div>
);
