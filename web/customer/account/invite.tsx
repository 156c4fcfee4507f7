import { Select } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useOperation } from '../../app/api.ts';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { EmailInput } from '../../ui/form/email-input.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { Failure } from '../../ui/page/failure.tsx';
import { notify } from '../../ui/page/notify.ts';

export function Invite({ onClose }: { onClose: () => void }) {
  const invite = useOperation('inviteMember');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<'admin' | 'member'>('member');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate(
      { body: { email, role } },
      {
        onSuccess: ({ invitation }) => (onClose(), notify(`An invitation is on its way to ${invitation.email}.`)),
      },
    );
  };
  const wrong = fieldError(invite.error, 'email');
  return (
    <Dialog opened onClose={onClose} title="Invite a person">
      <form className="stack" onSubmit={submit}>
        <EmailInput
          label="E-mail"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={wrong}
          data-autofocus
        />
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
        {invite.error && !wrong && <Failure error={invite.error} />}
        <DialogButtons onBack={onClose} type="submit" loading={invite.isPending}>
          Send the invitation
        </DialogButtons>
      </form>
    </Dialog>
  );
}
