import { Button } from '@mantine/core';
import { IconUserPlus } from '../../ui/look/icons.ts';
import { useState } from 'react';
import { useServiceNames } from '../../app/service-names.ts';
import { useSession } from '../../app/session/session.tsx';
import { usePages } from '../../app/use-pages.ts';
import { useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { operatorRoleWords } from '../../ui/job/operator-role-words.ts';
import { type Column, List, ListFoot } from '../../ui/list/list.tsx';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { ChangeOperator, type Operator } from './change-operator.tsx';
import { InviteOperator } from './invite-operator.tsx';
import { OperatorInvitations } from './operator-invitations.tsx';
import { operatorsReads } from './operators.reads.ts';
import { RemoveOperator } from './remove-operator.tsx';

type Open = { change: Operator } | { remove: Operator } | 'invite';

/** Who works at the desk, what each may do, and what "Take next" gives them. */
export function Operators() {
  const reads = useReads(operatorsReads);
  const operators = usePages(reads.operators);
  const { familyName } = useServiceNames();
  const { user } = useSession();
  const [open, setOpen] = useState<Open | null>(null);
  const rows = operators.data;
  const close = () => setOpen(null);
  return (
    <>
      <PageHead
        title="Operators"
        below="Who works at this desk, and what each of them may do."
        actions={
          <>
            <ExportButton list="operators" read={reads.operators} />
            <ActionButton keys="c" icon={<IconUserPlus size={16} />} onClick={() => setOpen('invite')}>
              Invite
            </ActionButton>
          </>
        }
      />
      <div className="stack" style={{ gap: 32 }}>
        <Loaded query={operators}>
          {(all) => (
            <List
              label="Operators"
              rows={all}
              columns={columns(user.id, familyName, setOpen)}
              rowKey={({ id }) => id}
            />
          )}
        </Loaded>
        {operators.more && rows && (
          <ListFoot shown={`${rows.length} shown`} more={operators.more} loading={operators.loadingMore} />
        )}
        <OperatorInvitations />
      </div>
      {open === 'invite' && <InviteOperator onClose={close} />}
      {open !== null && open !== 'invite' && 'change' in open && (
        <ChangeOperator
          key={open.change.id}
          operator={open.change}
          lastOwner={open.change.role === 'owner' && !operators.more && countOwners(rows) === 1}
          onClose={close}
        />
      )}
      {open !== null && open !== 'invite' && 'remove' in open && (
        <RemoveOperator key={open.remove.id} operator={open.remove} onClose={close} />
      )}
    </>
  );
}

const countOwners = (rows: Operator[] | undefined): number =>
  (rows ?? []).filter(({ role }) => role === 'owner').length;

const columns = (me: string, familyName: (id: string) => string, setOpen: (open: Open) => void): Column<Operator>[] => [
  {
    head: 'Operator',
    width: '32%',
    cell: ({ id, name, email }) => (
      <span className="ink">
        {name}
        {id === me && <span className="third"> · you</span>}
        <span className="cell-second">{email}</span>
      </span>
    ),
  },
  { head: 'Role', cell: ({ role }) => operatorRoleWords[role].name },
  {
    head: 'Takes next',
    named: true,
    cell: ({ service_families: families }) => families?.map(familyName).join(', ') ?? 'all services',
  },
  {
    head: 'Holds',
    named: true,
    className: 'numbers',
    cell: ({ held_jobs: jobs, held_limit: limit }) => `${jobs} of ${limit}`,
  },
  {
    head: 'Actions',
    end: true,
    quiet: true,
    width: '170px',
    cell: (operator) => <Actions operator={operator} isMe={operator.id === me} setOpen={setOpen} />,
  },
];

type ActionsProps = { operator: Operator; isMe: boolean; setOpen: (open: Open) => void };

/** Another owner removes an owner: whoever leaves cannot say what follows. */
const Actions = ({ operator, isMe, setOpen }: ActionsProps) => (
  <span className="nowrap">
    <Button
      variant="subtle"
      size="xs"
      h={28}
      aria-label={`Change ${operator.name}`}
      onClick={() => setOpen({ change: operator })}
    >
      Change
    </Button>
    {!isMe && (
      <Button
        variant="subtle"
        color="bad"
        size="xs"
        h={28}
        aria-label={`Remove ${operator.name}`}
        onClick={() => setOpen({ remove: operator })}
      >
        Remove
      </Button>
    )}
  </span>
);
