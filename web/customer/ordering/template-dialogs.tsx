import { TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Template, useOperation } from '../../app/api.ts';
import { Confirm, Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { notify } from '../../ui/page/notify.ts';

type Props = { template: Template; onClose: () => void };

type NameProps = { name: string; onName: (name: string) => void; error: Error | null };

export const TemplateName = ({ name, onName, error }: NameProps) => (
  <TextInput
    label="Name"
    placeholder="Monthly newsletter"
    required
    withAsterisk={false}
    maxLength={60}
    value={name}
    onChange={(event) => onName(event.currentTarget.value)}
    error={fieldError(error, 'name')}
    data-autofocus
  />
);

export function RenameTemplate({ template, onClose }: Props) {
  const [name, setName] = useState(template.name);
  const replace = useOperation('replaceTemplate');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { id, created_by: _by, created_at: _at, updated_at: _changed, ...body } = template;
    replace.mutate({ path: { id }, body: { ...body, name: name.trim() } }, { onSuccess: onClose });
  };
  return (
    <Dialog opened onClose={onClose} title="Rename the template">
      <form className="stack" onSubmit={submit}>
        <TemplateName name={name} onName={setName} error={replace.error} />
        {replace.error && <Failure error={replace.error} fields={['name']} />}
        <DialogButtons onBack={onClose} type="submit" loading={replace.isPending} disabled={name.trim() === ''}>
          Rename
        </DialogButtons>
      </form>
    </Dialog>
  );
}

export function DeleteTemplate({ template: { id, name }, onClose }: Props) {
  const remove = useOperation('deleteTemplate');
  const onSuccess = () => {
    onClose();
    notify(`The template “${name}” is deleted.`);
  };
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Delete “${name}”?`}
      confirm="Delete it"
      destructive
      pending={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ path: { id } }, { onSuccess })}
    >
      It is gone for everybody in the account. Drafts and jobs that started from it stay as they are.
    </Confirm>
  );
}
