import { TextInput, type TextInputProps } from '@mantine/core';
import { useOperation } from '../api.ts';
import { PageForm } from '../../ui/form/page-form.tsx';
import { useFields } from '../../ui/form/use-fields.ts';

export const AccountName = (props: TextInputProps) => (
  <TextInput
    label="Name of the account"
    description="Your company, or what the work is for."
    required
    maxLength={100}
    {...props}
  />
);

/** Opens an account and switches to it. */
export function OpenAccount() {
  const open = useOperation('openAccount', () => location.assign('/'));
  const { fields, field } = useFields({ name: '' }, open.error);
  const name = fields.name.trim();
  const run = () => open.mutate({ body: { name } });
  return (
    <PageForm submit="Open the account" onSubmit={run} action={open} fields={['name']} disabled={name === ''}>
      <AccountName {...field('name')} data-autofocus />
    </PageForm>
  );
}
