import { Checkbox } from '@mantine/core';
import { useEffect } from 'react';
import { type DeskJob, useOperation } from '../../app/api.ts';
import { Failure, Panel } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { NeverShown } from '../never-shown.tsx';

/** What the service asks to check in each round. Reviewers read who did. */
export function ChecklistPanel({ job }: { job: DeskJob }) {
  const tick = useOperation('tickItem');
  const { reset } = tick;
  // Until then the box shows what was chosen.
  useEffect(reset, [reset, job.checklist]);
  const chosen = tick.isError ? undefined : tick.variables?.body;
  const done = job.checklist.filter(({ ticked_at: at }) => at !== null).length;
  const isOpen = job.status === 'accepted' || job.status === 'running';
  return (
    <Panel title={`Checklist: ${done} of ${job.checklist.length}`} beside={<NeverShown />}>
      <ul className="stack-small">
        {job.checklist.map(({ text, ticked_at: at, ticked_by: by }, item) => (
          <li key={text}>
            <Checkbox
              label={text}
              description={
                at && (
                  <>
                    {by?.name}, <Time at={at} as="moment" />
                  </>
                )
              }
              checked={chosen?.item === item ? chosen.ticked : at !== null}
              disabled={!isOpen || tick.isPending}
              onChange={({ currentTarget: { checked: ticked } }) =>
                tick.mutate({ path: { id: job.id }, body: { item, ticked } })
              }
            />
          </li>
        ))}
      </ul>
      {tick.error && <Failure error={tick.error} />}
    </Panel>
  );
}
