import type { ListOperatorInvitationsResponses } from '../../app/api.ts';
import { EndableList } from '../../app/endable-list.tsx';
import { MailboxHint } from '../../app/mailbox-hint.tsx';
import { usePages } from '../../app/use-pages.ts';
import { useReads } from '../../app/use-reads.ts';
import { operatorRoleWords } from '../../ui/job/operator-role-words.ts';
import { type Column, ListFoot } from '../../ui/list/list.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { Time } from '../../ui/time/time.tsx';
import { pageReads } from '../reads.ts';

type Invitation = ListOperatorInvitationsResponses[200]['operator_invitations'][number];

/** Nothing while none is open. */
export function OperatorInvitations() {
  const invitations = usePages(useReads(pageReads.operators).invitations);
  const rows = invitations.data;
  if (invitations.error && !rows) return <Failure error={invitations.error} retry={() => void invitations.refetch()} />;
  if (!rows || rows.length === 0) return null;
  return (
    <EndableList
      heading
      label="Open invitations"
      tight
      rows={rows}
      columns={columns}
      rowKey={({ id }) => id}
      end="Cancel"
      endLabel={({ email }) => `Cancel the invitation of ${email}`}
      ask={({ id, email }) => ({
        title: `Cancel the invitation of ${email}?`,
        confirm: 'Cancel the invitation',
        children: 'The link in their mail stops working at once. You can invite them again.',
        operation: 'cancelOperatorInvitation',
        input: { path: { id } },
      })}
    >
      {invitations.more && (
        <ListFoot shown={`${rows.length} shown`} more={invitations.more} loading={invitations.loadingMore} />
      )}
      <MailboxHint />
    </EndableList>
  );
}

const columns: Column<Invitation>[] = [
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
];
