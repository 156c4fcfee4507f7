import { Checkbox } from '@mantine/core';
import { type DeskJob, operationQuery, queryClient, useOperation } from '../../app/api.ts';
import { Failure, Panel } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { NeverShown } from '../never-shown.tsx';

/** What the service asks to check in each round. Reviewers read who did. */
export function ChecklistPanel({ job }: { job: DeskJob }) {
  const done = job.checklist.filter(({ ticked_at: at }) => at !== null).length;
  return (
    <Panel title={`Checklist: ${done} of ${job.checklist.length}`} beside={<NeverShown />}>
      <ul className="stack-small">
        {job.checklist.map(({ text }, item) => (
          <li key={text}>
            <Item job={job} item={item} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Shows at once what was chosen, and stays enabled: a disabled box loses the focus. */
function Item({ job, item }: { job: DeskJob; item: number }) {
  const { text, ticked_at: at = null, ticked_by: by } = job.checklist[item] ?? { text: '' };
  const { queryKey } = operationQuery('readDeskJob', { path: { id: job.id } });
  const tick = useOperation('tickItem', (answer) =>
    queryClient.setQueryData(queryKey, (shown) => shown && { ...shown, job: answer.job }),
  );
  return (
    <>
      <Checkbox
        label={text}
        description={
          at && (
            <>
              {by?.name}, <Time at={at} as="moment" />
            </>
          )
        }
        checked={tick.isPending ? tick.variables.body.ticked : at !== null}
        disabled={job.status !== 'accepted' && job.status !== 'running'}
        onChange={({ currentTarget: { checked: ticked } }) =>
          tick.mutate({ path: { id: job.id }, body: { item, ticked } })
        }
      />
      {tick.error && <Failure error={tick.error} />}
    </>
  );
}
