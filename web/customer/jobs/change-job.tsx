import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Job, useOperation } from '../../app/api.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { notify } from '../../ui/page/notify.ts';
import { dayOf, endOfDay } from '../ordering/draft/wish.ts';

type Props = { job: Job; opened: boolean; onClose: () => void };

/** Metadata is for programs: it is neither shown nor changed here. */
export function ChangeJob({ job, opened, onClose }: Props) {
  const change = useOperation('updateJob');
  const [reference, setReference] = useState<string | null>(null);
  const [day, setDay] = useState<string | null>(null);
  const typed = reference?.trim() ?? job.reference ?? '';
  const wish = dayOf(job.wanted_by ?? '');
  const body = {
    ...(typed === (job.reference ?? '') ? {} : { reference: typed || null }),
    ...(day === null || day === wish ? {} : { wanted_by: endOfDay(day) || null }),
  };
  const key = useMoveKey(`${job.updated_at}-${JSON.stringify(body)}`);
  const close = () => (setReference(null), setDay(null), onClose());
  const run = () =>
    change.mutate(
      { path: { id: job.id }, body, idempotencyKey: key },
      { onSuccess: () => (close(), notify('Changed. The studio sees it.')) },
    );
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title="Change reference or wish"
      submit="Change them"
      onSubmit={run}
      action={change}
      fields={['reference', 'wanted_by']}
      disabled={Object.keys(body).length === 0}
    >
      <TextInput
        label="Your reference"
        description="Optional. Your own number for it. The studio sees it."
        maxLength={100}
        value={reference ?? job.reference ?? ''}
        onChange={(event) => setReference(event.currentTarget.value)}
        error={fieldError(change.error, 'reference')}
        data-autofocus
      />
      <TextInput
        label="Wished for"
        description="Optional. The studio sees it; it promises nothing and moves no date."
        type="date"
        value={day ?? wish}
        onChange={(event) => setDay(event.currentTarget.value)}
        error={fieldError(change.error, 'wanted_by')}
      />
    </FormDialog>
  );
}
