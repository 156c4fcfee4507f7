import { type DeskJob, useOperation } from '../../app/api.ts';
import { ActionButton } from '../../ui/form/action-button.tsx';
import { notify, sayFailure } from '../../ui/page/page.tsx';
import { Time } from '../../ui/time/time.tsx';
import { useMoves } from './use-moves.ts';

/** Why the job rests. */
export function SetAsideNote({ job }: { job: DeskJob }) {
  const end = useOperation('endSetAside');
  const { me, may } = useMoves(job);
  const { set_aside: aside } = job;
  if (!aside) return null;
  const isOthers = job.holder !== null && job.holder.operator_id !== me && !may('direct');
  return (
    <div className="note stack-small" role="note">
      <div>
        <strong>
          Set aside until <Time at={aside.set_aside_until} as="moment" />
        </strong>{' '}
        by {aside.created_by.name}: “{aside.reason}”
      </div>
      <span className="second small">
        The clock runs on: only a question to the customer stops it. The job comes back then, or when the customer
        writes.
      </span>
      <ActionButton
        variant="default"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        reason={isOthers ? `${job.holder?.name} holds this job.` : null}
        loading={end.isPending}
        onClick={() => end.mutate({ path: { id: job.id } }, { onError: (error) => notify(sayFailure(error).title) })}
      >
        Take it up now
      </ActionButton>
    </div>
  );
}
