import { Button } from '@mantine/core';
import { useState } from 'react';
import { type ListOperatorInvitationsResponses, useOperation } from '../../app/api.ts';
import { MailboxHint } from '../../app/mailbox-hint.tsx';
import { usePages } from '../../app/use-pages.ts';
import { useReads } from '../../app/use-reads.ts';
import { Confirm } from '../../ui/dialog/dialog.tsx';
import { operatorRoleWords } from '../../ui/job/operator-role-words.ts';
import { type Column, List, ListFoot } from '../../ui/list/list.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { Time } from '../../ui/time/time.tsx';
import { operatorsReads } from './operators.reads.ts';

type Invitation = ListOperatorInvitationsResponses[200]['operator_invitations'][number];

/** Nothing while none is open. */
export function OperatorInvitations() {
  const invitations = usePages(useReads(operatorsReads).invitations);
  const [canceling, setCanceling] = useState<Invitation | null>(null);
  const rows = invitations.data;
  if (invitations.error && !rows) return <Failure error={invitations.error} retry={() => void invitations.refetch()} />;
  if (!rows || rows.length === 0) return null;
  return (
    <section aria-label="Open invitations">
      <h2 className="section-title">Open invitations</h2>
      <List label="Open invitations" tight rows={rows} columns={columns(setCanceling)} rowKey={({ id }) => id} />
      {invitations.more && (
        <ListFoot shown={`${rows.length} shown`} more={invitations.more} loading={invitations.loadingMore} />
      )}
      <MailboxHint />
      {canceling && <Cancel invitation={canceling} onClose={() => setCanceling(null)} />}
    </section>
  );
}

const columns = (cancel: (invitation: Invitation) => void): Column<Invitation>[] => [
  { head: 'Invited', width: '32%', cell: ({ email }) => <span className="ink">{email}</span> },
  { head: 'Role', cell: ({ role }) => operatorRoleWords[role].name },
  { head: 'Invited by', named: true, cell: ({ created_by }) => created_by.name },
  {
    head: 'Valid',
    cell: ({ expires_at }) => (
      <>
        until <Time at={expires_at} as="moment" />
      </>
    ),
  },
  {
    head: 'Actions',
    end: true,
    quiet: true,
    cell: (invitation) => (
      <Button
        variant="subtle"
        color="bad"
        size="xs"
        h={28}
        aria-label={`Cancel the invitation of ${invitation.email}`}
        onClick={() => cancel(invitation)}
      >
        Cancel
      </Button>
    ),
  },
];

function Cancel({ invitation: { id, email }, onClose }: { invitation: Invitation; onClose: () => void }) {
  const cancel = useOperation('cancelOperatorInvitation');
  return (
    <Confirm
      opened
      onClose={onClose}
      title={`Cancel the invitation of ${email}?`}
      confirm="Cancel the invitation"
      destructive
      pending={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate({ path: { id } }, { onSuccess: onClose })}
    >
      The link in their mail stops working at once. You can invite them again.
    </Confirm>
  );
}
