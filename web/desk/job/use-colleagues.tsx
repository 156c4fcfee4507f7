import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { operationQuery } from '../../app/api.ts';
import { Textarea } from '../../ui/form/fields.tsx';
import { useSession } from '../../app/session/session.tsx';

/** To whom jobs are handed over, with a note: the choice, its fields, and the form around them. */
export function useColleagues(opened: boolean) {
  const { user } = useSession();
  const { data, error, isPending } = useQuery({ ...operationQuery('listOperators'), enabled: opened });
  const [chosen, choose] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const [listed, setListed] = useState(true);
  // The next time it is about other jobs.
  useEffect(() => {
    if (opened) return;
    choose(null);
    setNote('');
    setListed(true);
  }, [opened]);
  const others = (data?.operators.filter(({ id }) => id !== user.id) ?? []).toSorted((a, b) =>
    a.name.localeCompare(b.name),
  );
  // With only one colleague there is no choice.
  const isAlone = others.length === 1;
  const to = others.find(({ id }) => id === chosen) ?? (isAlone ? others[0] : undefined);
  return {
    to,
    /** What the request says of them. */
    body: { ...(to && { operator_id: to.id }), ...(note.trim() !== '' && { note: note.trim() }) },
    error,
    form: { opened, submit: 'Hand over', focusSubmit: isAlone, disabled: !to },
    field: (
      <>
        <Select
          label="To whom?"
          placeholder={isPending ? 'Loading' : 'Choose a colleague'}
          data={others.map(({ id, name, held_jobs: jobs, held_limit: limit }) => ({
            value: id,
            label: `${name}, holds ${jobs} of ${limit}`,
          }))}
          value={to?.id ?? null}
          onChange={choose}
          // The names are there at once: choosing one takes a single click.
          dropdownOpened={listed && opened && others.length > 1}
          onDropdownOpen={() => setListed(true)}
          onDropdownClose={() => setListed(false)}
          nothingFoundMessage="There is no other operator."
          data-autofocus={!isAlone}
        />
        <Textarea
          label="Note for your colleague"
          description="Optional. Internal: the customer never sees it."
          minRows={2}
          maxLength={10_000}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {data && others.length === 0 && <p className="second">There is no other operator.</p>}
      </>
    ),
  };
}
