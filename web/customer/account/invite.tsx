import { Select } from '@mantine/core';
import { useState } from 'react';
import { useOperation } from '../../app/api.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { EmailInput } from '../../ui/form/email-input.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { notify } from '../../ui/page/notify.ts';

export function Invite({ onClose }: { onClose: () => void }) {
  const invite = useOperation('inviteMember');
  const { fields, field } = useFields({ email: '' }, invite.error);
  const [role, setRole] = useState<'admin' | 'member'>('member');
  const run = () =>
    invite.mutate(
      { body: { ...fields, role } },
      { onSuccess: ({ invitation }) => (onClose(), notify(`An invitation is on its way to ${invitation.email}.`)) },
    );
  return (
    <FormDialog
      onClose={onClose}
      title="Invite a person"
      submit="Send the invitation"
      onSubmit={run}
      action={invite}
      fields={['email']}
    >
      <EmailInput label="E-mail" {...field('email')} data-autofocus />
      <Select
        label="Role"
        data={[
          { value: 'member', label: 'Member: orders and reviews' },
          { value: 'admin', label: 'Admin: also plans, keys and people' },
        ]}
        value={role}
        onChange={(value) => setRole(value as 'admin' | 'member')}
      />
      <p className="small second">They get a mail with a link, which works for 48 hours.</p>
    </FormDialog>
  );
}
