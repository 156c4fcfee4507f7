import { useState } from 'react';
import type { OperatorRole } from '../../../contract/desk/operator-roles.ts';
import { useOperation } from '../../app/api.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { EmailInput } from '../../ui/form/email-input.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { notify } from '../../ui/page/notify.ts';
import { RoleChoice } from './change-operator.tsx';
import { ClaimFields, sentClaims } from './claim-fields.tsx';

export function InviteOperator({ onClose }: { onClose: () => void }) {
  const invite = useOperation('inviteOperator');
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<OperatorRole>('maker');
  const [claims, setClaims] = useState({ families: [] as string[], limit: 10 });
  const body = { email, role, ...sentClaims(claims) };
  const idempotencyKey = useMoveKey(JSON.stringify(body));
  const run = () =>
    invite.mutate(
      { body, idempotencyKey },
      {
        onSuccess: ({ operator_invitation: { email: address } }) => (
          onClose(),
          notify(`An invitation is on its way to ${address}.`)
        ),
      },
    );
  return (
    <FormDialog
      onClose={onClose}
      title="Invite an operator"
      submit="Send the invitation"
      onSubmit={run}
      action={invite}
      fields={['email']}
      disabled={claims.limit < 1}
    >
      <EmailInput
        label="E-mail"
        description="They get a mail with a link, which works for 48 hours and asks for their password."
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={fieldError(invite.error, 'email')}
        data-autofocus
      />
      <RoleChoice value={role} onChange={setRole} />
      <ClaimFields value={claims} onChange={setClaims} />
    </FormDialog>
  );
}
