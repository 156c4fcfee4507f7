import { useState } from 'react';
import { type DeskAccount, useOperation } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { Textarea } from '../../ui/form/textarea.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { notify } from '../../ui/page/notify.ts';
import { Time } from '../../ui/time/time.tsx';
import { useRoleReason } from '../may.ts';

type Suspension = NonNullable<DeskAccount['suspension']>;

/** Why the account is suspended, and the way back. */
export function Suspended({ account, suspension }: { account: DeskAccount; suspension: Suspension }) {
  const reopen = useOperation('reopenAccount');
  const forbidden = useRoleReason('manage_accounts');
  const run = () =>
    reopen.mutate({ path: { id: account.id } }, { onSuccess: () => notify(`${account.name} is open again.`) });
  return (
    <div className="note bad stack-small" role="status" style={{ marginBottom: 20 }}>
      <div className="row between">
        <span>
          <strong>Suspended</strong> since <Time at={suspension.since} as="moment" /> by {suspension.created_by.name}
        </span>
        <ActionButton variant="default" size="xs" reason={forbidden} loading={reopen.isPending} onClick={run}>
          Reopen
        </ActionButton>
      </div>
      <p className="prose">{suspension.reason}</p>
      {reopen.error && <Failure error={reopen.error} />}
    </div>
  );
}

export function SuspendButton({ account }: { account: DeskAccount }) {
  const forbidden = useRoleReason('manage_accounts');
  const [asking, setAsking] = useState(false);
  return (
    <>
      <ActionButton variant="subtle" color="bad" reason={forbidden} onClick={() => setAsking(true)}>
        Suspend
      </ActionButton>
      {asking && <SuspendDialog account={account} onClose={() => setAsking(false)} />}
    </>
  );
}

function SuspendDialog({ account, onClose }: { account: DeskAccount; onClose: () => void }) {
  const suspend = useOperation('suspendAccount');
  const [reason, setReason, forget] = useDraft(`suspend-${account.id}`, '');
  const run = () =>
    suspend.mutate(
      { path: { id: account.id }, body: { reason: reason.trim() } },
      { onSuccess: () => (forget(), onClose(), notify(`${account.name} is suspended.`)) },
    );
  return (
    <FormDialog
      onClose={onClose}
      title={`Suspend ${account.name}`}
      size={560}
      submit="Suspend the account"
      destructive
      onSubmit={run}
      action={suspend}
      fields={['reason']}
      disabled={reason.trim() === ''}
    >
      <p className="second">
        Its people and keys can then read, export and approve, but order and change nothing. Every page tells them so.
        Jobs in progress go on.
      </p>
      <Textarea
        label="Reason"
        description="For the studio and the audit log. The customer does not see it."
        required
        maxLength={1_000}
        value={reason}
        onChange={({ currentTarget: { value } }) => setReason(value)}
        error={fieldError(suspend.error, 'reason')}
        data-autofocus
      />
    </FormDialog>
  );
}
