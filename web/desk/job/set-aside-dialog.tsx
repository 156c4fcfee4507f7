import { useState } from 'react';
import { type DeskJob, useOperation } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useDraft } from '../../app/session/draft.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { Textarea } from '../../ui/form/fields.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { notify } from '../../ui/page/page.tsx';
import { isUtc } from '../../ui/time/day.ts';
import { useUtc } from '../../ui/time/time.tsx';
import { asField, fromField, quickDates, sayOutside } from './due-choice.ts';
import { DueField } from './move-dialogs.tsx';

type Props = { job: DeskJob; opened: boolean; onClose: () => void };

export function SetAsideDialog({ job, ...dialog }: Props) {
  useUtc();
  const { businessHours } = useServiceNames();
  const set = useOperation('setJobAside');
  const [reason, setReason, forget] = useDraft(`set-aside-${job.id}`, job.set_aside?.reason ?? '');
  const [value, setValue] = useState(job.set_aside ? asField(Date.parse(job.set_aside.set_aside_until)) : '');
  const until = fromField(value);
  const run = () => {
    if (until === null) return;
    const onSuccess = () => (forget(), dialog.onClose(), notify('Set aside. It comes back by itself.'));
    set.mutate({ path: { id: job.id }, body: { reason: reason.trim(), set_aside_until: until } }, { onSuccess });
  };
  return (
    <FormDialog
      {...dialog}
      title="Set aside"
      size={560}
      submit="Set it aside"
      onSubmit={run}
      action={set}
      fields={['reason', 'set_aside_until']}
      disabled={until === null || reason.trim() === ''}
    >
      <DueField
        label="Until"
        type="datetime-local"
        description={isUtc() ? 'In UTC.' : undefined}
        value={value}
        choices={quickDates(null, Date.now(), businessHours).map(({ label, at }) => ({ label, value: asField(at) }))}
        hint={sayOutside(businessHours, until)}
        onChange={setValue}
        error={fieldError(set.error, 'set_aside_until')}
      />
      <Textarea
        label="Why"
        description="For colleagues. The customer never sees it."
        maxLength={500}
        value={reason}
        onChange={({ currentTarget: { value: text } }) => setReason(text)}
        error={fieldError(set.error, 'reason')}
      />
      <p className="small second">
        The job stays where it is, and “Take next” leaves it out. Its clock runs on: only a question to the customer
        stops it.
      </p>
    </FormDialog>
  );
}
