import { TextInput, type TextInputProps } from '@mantine/core';
import { type Template, useOperation } from '../../app/api.ts';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { notify } from '../../ui/page/page.tsx';

type Props = { template: Template; onClose: () => void };

export const TemplateName = (field: TextInputProps) => (
  <TextInput label="Name" placeholder="Monthly newsletter" required maxLength={60} data-autofocus {...field} />
);

export function RenameTemplate({ template, onClose }: Props) {
  const replace = useOperation('replaceTemplate');
  const { fields, field } = useFields({ name: template.name }, replace.error);
  const name = fields.name.trim();
  const { id, created_by: _by, created_at: _at, updated_at: _changed, ...body } = template;
  return (
    <FormDialog
      onClose={onClose}
      title="Rename the template"
      submit="Rename"
      onSubmit={() => replace.mutate({ path: { id }, body: { ...body, name } }, { onSuccess: onClose })}
      action={replace}
      fields={['name']}
      disabled={name === ''}
    >
      <TemplateName {...field('name')} />
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
