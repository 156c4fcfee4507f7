import { Select, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconUserPlus } from '../../ui/look/icons.ts';
import { useState } from 'react';
import { endsAuthority } from '../../../contract/plans/roles.ts';
import { type Invitation, type Member, operationQuery, useOperation } from '../../app/api.ts';
import { ownersOf, useEndingReason, useManagerReason, useRoleReason, useSession } from '../../app/session/session.tsx';
import { ConfirmOperation } from '../../app/confirm-operation.tsx';
import { EndableList } from '../../app/endable-list.tsx';
import { useRead, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { Failure, Loaded, notify, PageHead } from '../../ui/page/page.tsx';
import { FormDialog } from '../../ui/dialog/dialog.tsx';
import { EmailInput } from '../../ui/form/fields.tsx';
import { useFields } from '../../ui/form/use-fields.ts';
import { type Column, List } from '../../ui/list/list.tsx';
import { Time } from '../../ui/time/time.tsx';
import { roleWords } from '../../ui/job/words.ts';
import { MailboxHint } from '../../app/mailbox-hint.tsx';
import { pageReads } from '../reads.ts';

export function Members() {
  const forbidden = useRoleReason();
  const { view } = useSession();
  const reason = useManagerReason();
  const members = useRead(useReads(pageReads.members).members);
  const [inviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Member | null>(null);
  return (
    <>
      <PageHead
        title="Members"
        below="Owners and admins manage plans, keys and people; members order and review; reviewers only review."
      >
        {!view && (
          <ActionButton icon={<IconUserPlus size={16} />} reason={reason} onClick={() => setInviting(true)}>
            Invite
          </ActionButton>
        )}
      </PageHead>
      <div className="stack" style={{ gap: 32 }}>
        <Loaded query={members}>
          {({ members: rows }) => (
            <List label="Members" rows={rows} columns={columns(rows, setRemoving)} rowKey={({ id }) => id} />
          )}
        </Loaded>
        {forbidden === null && <Invitations />}
      </div>
      {inviting && <Invite onClose={() => setInviting(false)} />}
      {removing && (
        <ConfirmOperation
          title={`Remove ${removing.user.name}?`}
          confirm="Remove"
          destructive
          operation="removeMember"
          input={{ path: { id: removing.id } }}
          onClose={() => setRemoving(null)}
        >
          They lose access at once, in every open window. Jobs that they ordered stay.
        </ConfirmOperation>
      )}
    </>
  );
}

function columns(all: Member[], remove: (member: Member) => void): Column<Member>[] {
  const isLastOwner = ({ role }: Member) => role === 'owner' && ownersOf(all).length === 1;
  return [
    {
      head: 'Person',
      width: '40%',
      cell: ({ user }) => (
        <span className="ink">
          {user.name}
          <span className="cell-second">{user.email}</span>
        </span>
      ),
    },
    { head: 'Role', cell: (member) => <RoleField member={member} lastOwner={isLastOwner(member)} /> },
    { head: 'Orders', named: true, cell: (member) => <OrdersField member={member} /> },
    { head: 'Since', named: true, cell: ({ created_at }) => <Time at={created_at} as="day" /> },
    {
      head: 'Actions',
      end: true,
      quiet: true,
      cell: (member) => <RemoveButton member={member} lastOwner={isLastOwner(member)} remove={remove} />,
    },
  ];
}

/** Null if the reader may change this member. `forbidden` is why they may change none. */
function useMemberReason({ role }: Member, lastOwner: boolean, forbidden: string | null): string | null {
  const { role: own } = useSession();
  if (forbidden) return forbidden;
  if (lastOwner) return 'The account needs an owner: make somebody else an owner first.';
  return role === 'owner' && own !== 'owner' ? 'Only owners can change owners.' : null;
}

function RoleField({ member, lastOwner }: RowProps) {
  const reason = useMemberReason(member, lastOwner, useManagerReason());
  const { role: own } = useSession();
  const change = useOperation('changeMemberRole');
  const [nextRole, setNextRole] = useState<Member['role'] | null>(null);
  const to = (role: Member['role']) => ({ path: { id: member.id }, body: { role } });
  if (reason !== null) return <span title={reason}>{roleWords[member.role]}</span>;
  const offered = (Object.keys(roleWords) as Member['role'][]).filter((role) => role !== 'owner' || own === 'owner');
  return (
    <>
      <Select
        size="xs"
        w={120}
        aria-label={`Role of ${member.user.name}`}
        data={offered.map((role) => ({ value: role, label: roleWords[role] }))}
        value={member.role}
        disabled={change.isPending}
        onChange={(role) => role && (endsAuthority(member.role, role) ? setNextRole(role) : change.mutate(to(role)))}
      />
      {change.error && <Failure error={change.error} />}
      {nextRole && (
        <ConfirmOperation
          title={`Make ${member.user.name} a ${nextRole}?`}
          confirm="Change the role"
          operation="changeMemberRole"
          input={to(nextRole)}
          onClose={() => setNextRole(null)}
        >
          The keys, webhook endpoints and invitations that they made end at once, and their orders that wait.{' '}
          {nextRole === 'reviewer' ? 'Their connected apps only read from then on.' : 'Their connected apps end, too.'}
        </ConfirmOperation>
      )}
    </>
  );
}

/** Whether what a member orders waits. Others order at once, or nothing. */
function OrdersField({ member }: { member: Member }) {
  const reason = useManagerReason();
  const change = useOperation('changeMemberRole');
  const waits = member.orders === 'confirmed';
  if (member.role !== 'member') return <span className="third">{member.role === 'reviewer' ? 'none' : 'at once'}</span>;
  if (reason !== null) return <span title={reason}>{waits ? 'wait for an owner or admin' : 'at once'}</span>;
  return (
    <>
      <Switch
        size="xs"
        label="Wait for an owner or admin"
        aria-label={`Orders of ${member.user.name} wait for an owner or admin`}
        checked={waits}
        disabled={change.isPending}
        onChange={({ currentTarget }) =>
          change.mutate({ path: { id: member.id }, body: { orders: currentTarget.checked ? 'confirmed' : 'direct' } })
        }
      />
      {change.error && <Failure error={change.error} />}
    </>
  );
}

type RowProps = { member: Member; lastOwner: boolean };

function RemoveButton({ member, lastOwner, remove }: RowProps & { remove: (member: Member) => void }) {
  const { user, view } = useSession();
  const reason = useMemberReason(member, lastOwner, useEndingReason());
  if (view) return null;
  if (member.user.id === user.id) return <span className="third">you</span>;
  return (
    <ActionButton variant="subtle" color="bad" size="xs" h={28} reason={reason} onClick={() => remove(member)}>
      Remove
    </ActionButton>
  );
}

function Invitations() {
  const invitations = useQuery(operationQuery('listInvitations'));
  const { view } = useSession();
  const open = invitations.data?.invitations.filter(({ status }) => status === 'pending') ?? [];
  if (open.length === 0) return null;
  return (
    <EndableList
      heading
      label="Open invitations"
      tight
      rows={open}
      columns={invitationColumns}
      rowKey={({ id }) => id}
      end="Cancel"
      endLabel={({ email }) => `Cancel the invitation of ${email}`}
      canEnd={() => !view}
      ask={({ id, email }) => ({
        title: `Cancel the invitation of ${email}?`,
        confirm: 'Cancel the invitation',
        children: 'The link in their mail stops working at once. You can invite them again.',
        operation: 'cancelInvitation',
        input: { path: { id } },
      })}
    >
      <MailboxHint />
    </EndableList>
  );
}

const invitationColumns: Column<Invitation>[] = [
  { head: 'Invited', width: '40%', cell: ({ email }) => <span className="ink">{email}</span> },
  { head: 'Role', cell: ({ role }) => roleWords[role] },
  {
    head: 'Valid',
    cell: ({ expires_at }) => (
      <>
        until <Time at={expires_at} as="moment" />
      </>
    ),
  },
];

function Invite({ onClose }: { onClose: () => void }) {
  const invite = useOperation('inviteMember');
  const [role, setRole] = useState<'admin' | 'member' | 'reviewer'>('member');
  const { fields, field } = useFields({ email: '' }, invite.error);
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
          { value: 'reviewer', label: 'Reviewer: looks, comments and approves' },
          { value: 'admin', label: 'Admin: also plans, keys and people' },
        ]}
        value={role}
        onChange={(value) => value && setRole(value)}
      />
      <p className="small second">They get a mail with a link, which works for 48 hours.</p>
    </FormDialog>
  );
}
