import { useState } from 'react';
import { fieldOf, type StudioField, studioNames } from '../../../contract/jobs/optional-fields.ts';
import { type Job, useOperation } from '../../app/api.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { fieldError, useMoveKey } from '../../ui/form/form.ts';
import { notify } from '../../ui/page/page.tsx';
import { OptionalInput } from '../ordering/draft/optional-input.tsx';
import { dayOf } from '../ordering/draft/wish.ts';

type Props = { title: string; job: Job; opened: boolean; onClose: () => void };

/** Metadata is for programs: it is neither shown nor changed here. */
export function ChangeJob({ title, job, opened, onClose }: Props) {
  const change = useOperation('updateJob');
  const [texts, setTexts] = useState<Partial<Record<StudioField, string>>>({});
  const textOf = (name: StudioField) => texts[name] ?? job[name] ?? '';
  const changed = studioNames.filter((name) => shown(name, textOf(name)) !== shown(name, job[name] ?? ''));
  const body = Object.fromEntries(changed.map((name) => [name, textOf(name).trim() || null]));
  const key = useMoveKey(`${job.updated_at}-${JSON.stringify(body)}`);
  const close = () => (setTexts({}), onClose());
  const run = () =>
    change.mutate(
      { path: { id: job.id }, body, idempotencyKey: key },
      { onSuccess: () => (close(), notify('Changed. The studio sees it.')) },
    );
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      title={title}
      submit="Change them"
      onSubmit={run}
      action={change}
      fields={studioNames}
      disabled={Object.keys(body).length === 0}
    >
      {studioNames.map((name, at) => (
        <OptionalInput
          key={name}
          name={name}
          value={textOf(name)}
          onText={(text) => setTexts((before) => ({ ...before, [name]: text }))}
          error={fieldError(change.error, name)}
          autoFocus={at === 0}
        />
      ))}
    </FormDialog>
  );
}

/** The field shows a day, so another time of it is no change. */
const shown = (name: StudioField, text: string) => (fieldOf(name).kind === 'date' ? dayOf(text) : text.trim());
