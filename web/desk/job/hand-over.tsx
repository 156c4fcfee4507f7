import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type DeskJob, operationQuery, useOperation } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { Failure } from '../../ui/page/failure.tsx';
import { forgetLease } from './lease.ts';
import { notify } from '../../ui/page/notify.ts';
import { Dialog, DialogButtons } from '../../ui/dialog/dialog.tsx';
import { useMoveKey } from '../../ui/form/move-key.ts';

type Props = { job: DeskJob; opened: boolean; onClose: () => void };

export function HandOver({ job, opened, onClose }: Props) {
  const { user } = useSession();
  const operators = useQuery({ ...operationQuery('listOperators'), enabled: opened });
  const hold = useOperation('holdJob');
  const [chosen, setTo] = useState<string | null>(null);
  const others = (operators.data?.operators.filter(({ id }) => id !== user.id) ?? []).toSorted((a, b) =>
    a.name.localeCompare(b.name),
  );
  // With only one colleague there is no choice.
  const to = chosen ?? (others.length === 1 ? (others[0]?.id ?? null) : null);
  const key = useMoveKey(`${to}-${job.holder?.since}`);
  const name = others.find(({ id }) => id === to)?.name;
  const run = () =>
    hold.mutate(
      { path: { id: job.id }, body: { operator_id: to ?? '' }, idempotencyKey: key },
      { onSuccess: () => (forgetLease(job.id), onClose(), notify(`Handed over to ${name}.`)) },
    );
  return (
    <Dialog opened={opened} onClose={onClose} title="Hand over">
      <form className="stack" onSubmit={(event) => (event.preventDefault(), run())}>
        <Select
          label="To whom?"
          placeholder={operators.isPending ? 'Loading' : 'Choose a colleague'}
          data={others.map((operator) => ({
            value: operator.id,
            label: `${operator.name}, holds ${operator.held_jobs}`,
          }))}
          value={to}
          onChange={setTo}
          nothingFoundMessage="There is no other operator."
          data-autofocus={others.length !== 1}
        />
        {operators.data && others.length === 0 && <p className="second">There is no other operator.</p>}
        <p className="small second">The status does not change, and the customer does not see this. A lease ends.</p>
        {(hold.error ?? operators.error) && <Failure error={(hold.error ?? operators.error)!} />}
        <DialogButtons
          onBack={onClose}
          type="submit"
          data-autofocus={others.length === 1}
          loading={hold.isPending}
          disabled={to === null}
        >
          Hand over
        </DialogButtons>
      </form>
    </Dialog>
  );
}
