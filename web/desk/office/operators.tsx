import { Button, NumberInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type ListOperatorsResponses, useOperation } from '../../app/api.ts';
import { useServiceNames } from '../../app/service-names.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { type Column, List } from '../../ui/list/list.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { notify } from '../../ui/page/notify.ts';
import { ServiceChoice } from './service-choice.tsx';
import { workersReads } from './workers.reads.ts';

type Operator = ListOperatorsResponses[200]['operators'][number];

/** Whom "Take next" gives what. */
export function Operators() {
  const { data, error, refetch } = useRead(useReads(workersReads).operators);
  const { familyName } = useServiceNames();
  const [chosen, setChosen] = useState<Operator | null>(null);
  const columns: Column<Operator>[] = [
    {
      head: 'Operator',
      width: '30%',
      cell: ({ name, email }) => (
        <span className="ink">
          {name}
          <span className="cell-second">{email}</span>
        </span>
      ),
    },
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
        <Button
          variant="subtle"
          size="xs"
          h={28}
          aria-label={`Change what ${operator.name} takes`}
          onClick={() => setChosen(operator)}
        >
          Change
        </Button>
      ),
    },
  ];
  if (error && !data) return <Failure error={error} retry={() => void refetch()} />;
  return (
    <>
      <List label="Operators" tight rows={data?.operators} columns={columns} rowKey={({ id }) => id} />
      {chosen && <ChangeOperator key={chosen.id} operator={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

function ChangeOperator({ operator, onClose }: { operator: Operator; onClose: () => void }) {
  const update = useOperation('updateOperator');
  const [chosen, setChosen] = useState<string[]>(operator.service_families ?? []);
  const [limit, setLimit] = useState(operator.held_limit);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    update.mutate(
      { path: { id: operator.id }, body: { service_families: chosen.length === 0 ? null : chosen, held_limit: limit } },
      { onSuccess: () => (onClose(), notify(`Changed what ${operator.name} takes.`)) },
    );
  };
  return (
    <Dialog opened onClose={onClose} title={`What ${operator.name} takes`}>
      <form className="stack" onSubmit={submit}>
        <ServiceChoice
          description="“Take next” gives only jobs of these services. Without a choice, it gives all."
          value={chosen}
          onChange={setChosen}
        />
        <NumberInput
          label="Limit of jobs"
          description="“Take next” is refused while the operator holds so many."
          min={1}
          max={100}
          allowDecimal={false}
          value={limit}
          onChange={(value) => setLimit(Number(value))}
        />
        {update.error && <Failure error={update.error} />}
        <DialogButtons onBack={onClose} type="submit" loading={update.isPending} disabled={limit < 1}>
          Save
        </DialogButtons>
      </form>
    </Dialog>
  );
}
