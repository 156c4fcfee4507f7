import { Button, Group, Switch } from '@mantine/core';
import { useState } from 'react';
import { useOperation } from '../../app/api.ts';
import { useRead, useReads } from '../../app/use-reads.ts';
import { Code } from '../../ui/page/code.tsx';
import { Failure } from '../../ui/page/page.tsx';
import { sayDay } from '../../ui/time/time.tsx';
import { pageReads } from '../reads.ts';
import { Row } from './settings-row.tsx';

/** The address of the feed of next dates, for the person's own calendar. */
export function CalendarRow() {
  const { data } = useRead(useReads(pageReads.settings).calendar);
  const calendar = data?.calendar;
  const more = calendar
    ? `${calendar.with_titles ? 'with' : 'without'} titles · made ${sayDay(calendar.created_at)}`
    : 'the next dates of your jobs in your own calendar';
  return (
    <Row
      term="Calendar"
      value={data && (calendar ? 'On' : 'Off')}
      more={more}
      verb={data && !calendar ? 'Set up' : 'Change'}
      back="Close"
    >
      {() => <CalendarForm isOn={Boolean(calendar)} withTitles={calendar?.with_titles ?? false} />}
    </Row>
  );
}

function CalendarForm({ isOn, withTitles }: { isOn: boolean; withTitles: boolean }) {
  const create = useOperation('createCalendar');
  const end = useOperation('endCalendar', create.reset);
  const [with_titles, setTitles] = useState(withTitles);
  const error = create.error ?? end.error;
  return (
    <div className="stack">
      {create.data ? (
        <>
          <p>Subscribe to this address in your calendar. It is shown only now.</p>
          <Code>{create.data.url}</Code>
          <p className="small second">Whoever has it can read the dates. It ends when you leave the account.</p>
        </>
      ) : (
        <>
          <p className="second">
            A secret address for your calendar program.
            {isOn && ' A new one ends the address that you have, also to change what it shows.'}
          </p>
          <Switch
            label="Show the titles of jobs"
            checked={with_titles}
            onChange={({ currentTarget }) => setTitles(currentTarget.checked)}
          />
        </>
      )}
      {error && <Failure error={error} />}
      <Group gap={8}>
        {!create.data && (
          <Button variant="default" loading={create.isPending} onClick={() => create.mutate({ body: { with_titles } })}>
            {isOn ? 'Make a new address' : 'Make the address'}
          </Button>
        )}
        {isOn && (
          <Button variant="subtle" color="bad" loading={end.isPending} onClick={() => end.mutate({})}>
            End it
          </Button>
        )}
      </Group>
    </div>
  );
}
