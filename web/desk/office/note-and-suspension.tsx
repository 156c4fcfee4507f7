import { useState } from 'react';
import { type DeskAccount, useOperation } from '../../app/api.ts';
import { useDraft } from '../../app/session/draft.ts';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Textarea } from '../../ui/form/fields.tsx';
import { fieldError } from '../../ui/form/form.ts';
import { Failure, notify, Panel } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { NeverShown } from '../never-shown.tsx';
import { useRoleReason } from '../may.ts';

/** What colleagues should know about this customer. */
export function AccountNote({ account }: { account: DeskAccount }) {
  const [writing, setWriting] = useState(false);
  const forbidden = useRoleReason('note_accounts');
  const { note } = account;
  return (
    <Panel title="Note for colleagues" beside={<NeverShown />}>
      <div className="stack-small">
        {note ? (
          <>
            <p className="prose">{note.body}</p>
            <span className="second small">
              {note.created_by.name}, <Time at={note.updated_at} as="day" />
            </span>
          </>
        ) : (
          <p className="second">What to know about every job of this customer. It stands beside each of them.</p>
        )}
        <ActionButton
          variant="default"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          reason={forbidden}
          onClick={() => setWriting(true)}
        >
          {note ? 'Change the note' : 'Write a note'}
        </ActionButton>
      </div>
      {writing && <NoteDialog account={account} onClose={() => setWriting(false)} />}
    </Panel>
  );
}

function NoteDialog({ account: { id, name, note }, onClose }: { account: DeskAccount; onClose: () => void }) {
  const replace = useOperation('replaceAccountNote');
  // Another version begins another draft, so that an old draft does not undo what a colleague wrote.
  const [body, setBody, forget] = useDraft(`account-note-${id}-${note?.updated_at ?? ''}`, note?.body ?? '');
  const save = () =>
    replace.mutate(
      { path: { id }, body: { body: body.trim() } },
      { onSuccess: () => (forget(), onClose(), notify('Saved the note.')) },
    );
  return (
    <FormDialog
      onClose={onClose}
      title={`Note about ${name}`}
      size={560}
      submit="Save"
      onSubmit={save}
      action={replace}
      fields={['body']}
    >
      <Textarea
        label="Note"
        description="Operators read it here and beside each job. The customer never sees it."
        minRows={4}
        maxLength={10_000}
        value={body}
        onChange={({ currentTarget: { value } }) => setBody(value)}
        error={fieldError(replace.error, 'body')}
        data-autofocus
      />
    </FormDialog>
  );
}

/** Why the account is suspended, and the way back. */
export function Suspended({ account }: { account: DeskAccount }) {
  const reopen = useOperation('reopenAccount');
  const forbidden = useRoleReason('manage_accounts');
  const run = () =>
    reopen.mutate({ path: { id: account.id } }, { onSuccess: () => notify(`${account.name} is open again.`) });
  const { suspension } = account;
  return (
    suspension && (
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
    )
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
