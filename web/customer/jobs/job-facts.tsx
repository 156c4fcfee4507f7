import { Group, Switch } from '@mantine/core';
import { useState } from 'react';
import { isEnded } from '../../../contract/moves.ts';
import { sayFields, studioNames } from '../../../contract/jobs/optional-fields.ts';
import { type Job, type ListMessagesResponse, operationQuery, queryClient, useOperation } from '../../app/api.ts';
import { useOrders, useReadOnlyReason, useSession } from '../../app/session/session.tsx';
import { optionalFacts } from '../../ui/job/optional-facts.tsx';
import { keptUntil } from '../../ui/job/retention.ts';
import { creatorWords, sourceWords } from '../../ui/job/words.ts';
import { Facts, Panel } from '../../ui/page/page.tsx';
import { dialogPart } from '../../ui/page/part.tsx';
import { Face } from '../../ui/thread/story-entry.tsx';
import { sayDuration } from '../../ui/time/duration.ts';
import { useNow } from '../../ui/time/now.ts';
import { Time } from '../../ui/time/time.tsx';

const ChangeJob = dialogPart(() => import('./change-job.tsx'), 'ChangeJob');
const changeWords = `Change ${sayFields(studioNames)}`;

export function JobFacts({ job }: { job: Job }) {
  const { used, included } = job.revisions;
  const now = useNow(30_000);
  const readOnly = useReadOnlyReason();
  const orders = useOrders();
  const leavesAt = keptUntil(job);
  return (
    <Panel title="Facts">
      <div className="stack-small">
        <Facts
          facts={[
            [
              job.created_by.kind === 'operator' ? 'Ordered for you by' : 'Ordered by',
              creatorWords(job) && <bdi key="by">{creatorWords(job)}</bdi>,
            ],
            ['Ordered', <Time key="ordered" at={job.created_at} as={job.imported_at ? 'day' : 'moment'} />],
            ...optionalFacts(job, 'Your'),
            ['Imported', job.imported_at && <Time key="imported" at={job.imported_at} as="day" />],
            ['Through', !job.imported_at && sourceWords[job.source]],
            ['Clock stood still', stoodStill(job, now)],
            ['Plan', job.plan_code && <Plan key="plan" code={job.plan_code} />],
            ['Review by', job.review_due_at && <Time key="review" at={job.review_due_at} as="moment" />],
            ['Rounds of changes', !job.imported_at && roundFact(used, included)],
            ['Files kept until', leavesAt && <Time key="kept" at={leavesAt} as="day" />],
          ]}
        />
        {!isEnded(job.status) && readOnly === null && orders && <Change job={job} />}
      </div>
    </Panel>
  );
}

function Change({ job }: { job: Job }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button type="button" className="text-button push" onClick={() => setOpened(true)}>
        {changeWords}
      </button>
      <ChangeJob title={changeWords} job={job} opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}

const Plan = ({ code }: { code: string }) => <span className="capital">{code}</span>;

/** Nothing in the first minute. */
function stoodStill({ waiting_since: since }: Job, now: number): string | null {
  const still = since === null ? 0 : now - Date.parse(since);
  return still < 60_000 ? null : sayDuration(still);
}

function roundFact(used: number, included: number): string {
  if (included === 0) return 'none included';
  return used === 0 ? `${included} included` : `${used} of ${included} used`;
}

type FollowProps = { job: Job; following: boolean; followers: ListMessagesResponse['followers'] };

/** Those whose unread messages of this job are mailed, with a switch for the reader. */
export function WhoFollows({ job: { id: jobId, created_by: maker }, following, followers }: FollowProps) {
  const { user } = useSession();
  const follow = useOperation('followJob');
  const shown = follow.isPending ? follow.variables.body.following : following;
  const set = (next: boolean) =>
    follow.mutate(
      { path: { id: jobId }, body: { following: next } },
      {
        onSuccess: () =>
          queryClient.setQueryData(operationQuery('listMessages', { path: { id: jobId } }).queryKey, (thread) =>
            thread ? { ...thread, following: next } : thread,
          ),
      },
    );
  return (
    <Panel title="Who follows">
      <Group gap={10} mb={10} wrap="nowrap">
        <Face name={user.name} face="person" />
        <span>You {user.id === maker.id && <span className="small second">· you ordered it</span>}</span>
        <Switch
          className="push"
          aria-label="Mail me unread messages of this job"
          checked={shown}
          onChange={({ currentTarget }) => set(currentTarget.checked)}
        />
      </Group>
      {followers
        .filter(({ id }) => id !== user.id)
        .map(({ id, name }) => (
          <Group key={id} gap={10} mb={10} wrap="nowrap">
            <Face name={name} face="person" />
            <bdi className="breaks">{name}</bdi>
            <span className="push small second">{id === maker.id ? 'ordered it' : 'follows'}</span>
          </Group>
        ))}
      <p className="small second">Words that you have not read within two minutes are mailed.</p>
    </Panel>
  );
}
