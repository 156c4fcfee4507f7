import { Button } from '@mantine/core';
import { useState } from 'react';
import { useServiceNames } from '../../app/service-names.ts';
import { usePages } from '../../app/use-pages.ts';
import { useReads } from '../../app/use-reads.ts';
import { type Column, List, ListFoot } from '../../ui/list/list.tsx';
import { Loaded, PageHead } from '../../ui/page/page.tsx';
import { ChangeOperator, type Operator } from './change-operator.tsx';
import { operatorsReads } from './operators.reads.ts';
import { operatorRoleWords } from './role-words.ts';

/** Who works at the desk, what each may do, and what "Take next" gives them. */
export function Operators() {
  const operators = usePages(useReads(operatorsReads).operators);
  const { familyName } = useServiceNames();
  const [chosen, setChosen] = useState<Operator | null>(null);
  const rows = operators.data;
  return (
    <>
      <PageHead title="Operators" below="Who works at this desk, and what each of them may do." />
      <Loaded query={operators}>
        {(all) => (
          <List label="Operators" rows={all} columns={columns(familyName, setChosen)} rowKey={({ id }) => id} />
        )}
      </Loaded>
      {operators.more && rows && (
        <ListFoot shown={`${rows.length} shown`} more={operators.more} loading={operators.loadingMore} />
      )}
      {chosen && (
        <ChangeOperator
          key={chosen.id}
          operator={chosen}
          lastOwner={chosen.role === 'owner' && !operators.more && countOwners(rows) === 1}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}

const countOwners = (rows: Operator[] | undefined): number =>
  (rows ?? []).filter(({ role }) => role === 'owner').length;

const columns = (familyName: (id: string) => string, change: (operator: Operator) => void): Column<Operator>[] => [
  {
    head: 'Operator',
    width: '32%',
    cell: ({ name, email }) => (
      <span className="ink">
        {name}
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
    cell: (operator) => (
      <Button variant="subtle" size="xs" h={28} aria-label={`Change ${operator.name}`} onClick={() => change(operator)}>
        Change
      </Button>
    ),
  },
];
