import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type ListOperatorInvitationsResponses, type Operator, operationQuery, type Output } from '../../app/api.ts';
import { EndableList } from '../../app/endable-list.tsx';
import { MailboxHint } from '../../app/mailbox-hint.tsx';
import { useServiceNames } from '../../app/service-names.ts';
import { useSession } from '../../app/session/session.tsx';
import { usePages, useReads } from '../../app/use-reads.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { operatorRoleWords } from '../../ui/job/operator-role-words.ts';
import { counted } from '../../ui/job/words.ts';
import { type Column, ListFoot } from '../../ui/list/list.tsx';
import { RowButton } from '../../ui/list/row-button.tsx';
import { IconUserPlus } from '../../ui/look/icons.ts';
import { Failure, Loaded, notify, PageHead } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { ExportButton } from '../export/export-button.tsx';
import { useMay } from '../may.ts';
import { pageReads } from '../reads.ts';
import { OperatorDialog } from './operator-dialog.tsx';

/** Who works at the desk, what each may do, and what "Take next" gives them. */
export function Operators() {
  const reads = useReads(pageReads.operators);
  const operators = usePages(reads.operators);
  const { familyName } = useServiceNames();
  const { user } = useSession();
  const may = useMay();
  const [open, setOpen] = useState<Operator | 'invite' | null>(null);
  const rows = operators.data ?? [];
  const owners = rows.filter(({ role }) => role === 'owner');
  const change = (operator: Operator) => (
    <RowButton label={`Change ${operator.name}`} onClick={() => setOpen(operator)}>
      Change
    </RowButton>
  );
  return (
    <>
      <PageHead title="Operators" below="Who works at this desk, and what each of them may do.">
        <ExportButton list="operators" read={reads.operators} />
        <ActionButton keys="c" icon={<IconUserPlus size={16} />} onClick={() => setOpen('invite')}>
          Invite
        </ActionButton>
      </PageHead>
      <div className="stack" style={{ gap: 32 }}>
        <Loaded query={operators}>
          {(all) => (
            <EndableList
              label="Operators"
              rows={all}
              columns={columns(user.id, familyName, may('manage_studio'))}
              rowKey={({ id }) => id}
              buttons={change}
              actionsWidth="170px"
              end="Remove"
              endLabel={({ name }) => `Remove ${name}`}
              // Another owner removes an owner: whoever leaves cannot say what follows.
              canEnd={({ id }) => id !== user.id}
              instead={change}
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
        {operators.more && (
          <ListFoot shown={`${rows.length} shown`} more={operators.more} loading={operators.loadingMore} />
        )}
        <Invitations />
      </div>
      {open !== null && (
        <OperatorDialog
          key={open === 'invite' ? open : open.id}
          operator={open === 'invite' ? null : open}
          lastOwner={open !== 'invite' && open.role === 'owner' && !operators.more && owners.length === 1}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

const columns = (me: string, familyName: (id: string) => string, isOwner: boolean): Column<Operator>[] => [
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
  ...(isOwner ? [secondFactor] : []),
];

const secondFactor: Column<Operator> = {
  head: 'Second factor',
  named: true,
  cell: ({ second_factor: on }) => (on ? 'on' : <span className="third">off</span>),
};

/** What follows, before an operator is removed. */
function Removal({ operator: { id, held_jobs } }: { operator: Operator }) {
  const keys = useQuery(operationQuery('listWorkerKeys')).data?.worker_keys ?? [];
  const made = keys.filter(({ status, created_by }) => status === 'active' && created_by.id === id);
  return (
    <ul className="stack-small">
      <li>They are signed out everywhere, and the desk is closed to them at once.</li>
      <li>
        {held_jobs === 0
          ? 'They hold no job.'
          : `${counted(held_jobs, 'job')} that they hold ${held_jobs === 1 ? 'goes' : 'go'} back to the queue.`}
      </li>
      {made.length > 0 && (
        <li>
          {counted(made.length, 'worker key')} that they made {made.length === 1 ? 'stops' : 'stop'} working. The jobs
          of these workers go back, too.
        </li>
      )}
      <li>Invitations that they sent end. They stay a customer, with their own account.</li>
    </ul>
  );
}

function sayEnded({ jobs, worker_keys: keys, operator_invitations: invitations }: Output<'removeOperator'>): string {
  const ended = [
    jobs > 0 && `${counted(jobs, 'job')} back in the queue`,
    keys > 0 && `${counted(keys, 'worker key')} revoked`,
    invitations > 0 && `${counted(invitations, 'invitation')} ended`,
  ].filter(Boolean);
  return ended.length === 0 ? '' : `${ended.join(', ')}.`;
}

/** Nothing while none is open. */
function Invitations() {
  const { data: rows, error, refetch, more, loadingMore } = usePages(useReads(pageReads.operators).invitations);
  if (error && !rows) return <Failure error={error} retry={() => void refetch()} />;
  if (!rows || rows.length === 0) return null;
  return (
    <EndableList
      heading
      label="Open invitations"
      tight
      rows={rows}
      columns={invitationColumns}
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
      {more && <ListFoot shown={`${rows.length} shown`} more={more} loading={loadingMore} />}
      <MailboxHint />
    </EndableList>
  );
}

type Invitation = ListOperatorInvitationsResponses[200]['operator_invitations'][number];

const invitationColumns: Column<Invitation>[] = [
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
