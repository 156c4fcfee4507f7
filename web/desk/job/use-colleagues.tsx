import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { operationQuery } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';

/** To whom jobs are handed over: the choice, its field, and the form around it. */
export function useColleagues(opened: boolean) {
  const { user } = useSession();
  const { data, error, isPending } = useQuery({ ...operationQuery('listOperators'), enabled: opened });
  const [chosen, choose] = useState<string | null>(null);
  const others = (data?.operators.filter(({ id }) => id !== user.id) ?? []).toSorted((a, b) =>
    a.name.localeCompare(b.name),
  );
  // With only one colleague there is no choice.
  const isAlone = others.length === 1;
  const to = others.find(({ id }) => id === chosen) ?? (isAlone ? others[0] : undefined);
  return {
    to,
    error,
    form: { opened, submit: 'Hand over', focusSubmit: isAlone, disabled: !to },
    field: (
      <>
        <Select
          label="To whom?"
          placeholder={isPending ? 'Loading' : 'Choose a colleague'}
          data={others.map(({ id, name, held_jobs: jobs }) => ({ value: id, label: `${name}, holds ${jobs}` }))}
          value={to?.id ?? null}
          onChange={choose}
          nothingFoundMessage="There is no other operator."
          data-autofocus={!isAlone}
        />
        {data && others.length === 0 && <p className="second">There is no other operator.</p>}
      </>
    ),
  };
}
