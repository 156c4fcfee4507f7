import { type FormEvent, useState } from 'react';
import type { OperatorRole } from '../../../contract/desk/operator-roles.ts';
import { useOperation } from '../../app/api.ts';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { EmailInput } from '../../ui/form/email-input.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { useMoveKey } from '../../ui/form/move-key.ts';
import { Failure } from '../../ui/page/failure.tsx';
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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invite.mutate(
      { body, idempotencyKey },
      {
        onSuccess: ({ operator_invitation: { email: address } }) => (
          onClose(),
          notify(`An invitation is on its way to ${address}.`)
        ),
      },
    );
  };
  const wrong = fieldError(invite.error, 'email');
  return (
    <Dialog opened onClose={onClose} title="Invite an operator">
      <form className="stack" onSubmit={submit}>
        <EmailInput
          label="E-mail"
          description="They get a mail with a link, which works for 48 hours and asks for their password."
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={wrong}
          data-autofocus
        />
        <RoleChoice value={role} onChange={setRole} />
        <ClaimFields value={claims} onChange={setClaims} />
        {invite.error && !wrong && <Failure error={invite.error} />}
        <DialogButtons onBack={onClose} type="submit" loading={invite.isPending} disabled={claims.limit < 1}>
          Send the invitation
        </DialogButtons>
      </form>
    </Dialog>
  );
}
