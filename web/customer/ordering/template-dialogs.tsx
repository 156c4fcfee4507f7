import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { type Template, useOperation } from '../../app/api.ts';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { notify } from '../../ui/page/notify.ts';

type Props = { template: Template; onClose: () => void };

type NameProps = { name: string; onName: (name: string) => void; error: Error | null };

export const TemplateName = ({ name, onName, error }: NameProps) => (
  <TextInput
    label="Name"
    placeholder="Monthly newsletter"
    required
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
  const { id, created_by: _by, created_at: _at, updated_at: _changed, ...body } = template;
  return (
    <FormDialog
      onClose={onClose}
      title="Rename the template"
      submit="Rename"
      onSubmit={() => replace.mutate({ path: { id }, body: { ...body, name: name.trim() } }, { onSuccess: onClose })}
      action={replace}
      fields={['name']}
      disabled={name.trim() === ''}
    >
      <TemplateName name={name} onName={setName} error={replace.error} />
    </FormDialog>
  );
}

export const DeleteTemplate = ({ template: { id, name }, onClose }: Props) => (
  <ConfirmOperation
    title={`Delete “${name}”?`}
    confirm="Delete it"
    destructive
    operation="deleteTemplate"
    input={{ path: { id } }}
    onDone={() => notify(`The template “${name}” is deleted.`)}
    onClose={onClose}
  >
    It is gone for everybody in the account. Drafts and jobs that started from it stay as they are.
  </ConfirmOperation>
);
