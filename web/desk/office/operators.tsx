import { IconUserPlus } from '../../ui/look/icons.ts';
import { useState } from 'react';
import type { Output } from '../../app/api.ts';
import { EndableList } from '../../app/endable-list.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { useSession } from '../../app/session/session.tsx';
import { usePages } from '../../app/use-pages.ts';
import { useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { operatorRoleWords } from '../../ui/job/operator-role-words.ts';
import { type Column, ListFoot } from '../../ui/list/list.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { notify } from '../../ui/page/notify.ts';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { pageReads } from '../reads.ts';
import { ChangeOperator, type Operator } from './change-operator.tsx';
import { InviteOperator } from './invite-operator.tsx';
import { OperatorInvitations } from './operator-invitations.tsx';
import { Removal, sayEnded } from './remove-operator.tsx';

type Open = Operator | 'invite';

/** Who works at the desk, what each may do, and what "Take next" gives them. */
export function Operators() {
  const reads = useReads(pageReads.operators);
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
            <EndableList
              label="Operators"
              rows={all}
              columns={columns(user.id, familyName)}
              rowKey={({ id }) => id}
              buttons={(operator) => <Change operator={operator} onClick={() => setOpen(operator)} />}
              actionsWidth="170px"
              end="Remove"
              endLabel={({ name }) => `Remove ${name}`}
              // Another owner removes an owner: whoever leaves cannot say what follows.
              canEnd={({ id }) => id !== user.id}
              instead={(operator) => <Change operator={operator} onClick={() => setOpen(operator)} />}
              ask={(operator) => ({
                title: `Remove ${operator.name}?`,
                confirm: 'Remove the operator',
                children: <Removal operator={operator} />,
                operation: 'removeOperator',
                input: { path: { id: operator.id } },
                onDone: (ended: Output<'removeOperator'>) => notify(`Removed ${operator.name}. ${sayEnded(ended)}`),
              })}
            />
          )}
        </Loaded>
        {operators.more && rows && (
          <ListFoot shown={`${rows.length} shown`} more={operators.more} loading={operators.loadingMore} />
        )}
        <OperatorInvitations />
      </div>
      {open === 'invite' && <InviteOperator onClose={close} />}
      {open !== null && open !== 'invite' && (
        <ChangeOperator
          key={open.id}
          operator={open}
          lastOwner={open.role === 'owner' && !operators.more && countOwners(rows) === 1}
          onClose={close}
        />
      )}
    </>
  );
}

const countOwners = (rows: Operator[] | undefined): number =>
  (rows ?? []).filter(({ role }) => role === 'owner').length;

const columns = (me: string, familyName: (id: string) => string): Column<Operator>[] => [
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
];

const Change = ({ operator, onClick }: { operator: Operator; onClick: () => void }) => (
  <RowButton label={`Change ${operator.name}`} onClick={onClick}>
    Change
  </RowButton>
);
