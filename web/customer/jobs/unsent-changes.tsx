import type { Job } from '../../app/api.ts';
import { useStoredDrafts } from '../../app/session/draft.ts';
import { KeptTexts } from '../../ui/thread/kept-texts.tsx';
import { sayMoved } from '../review/review-moves.tsx';

/** What was written of changes when the review ended without them. */
export function UnsentChanges({ job }: { job: Job }) {
  const drafts = useStoredDrafts();
  const { used } = job.revisions;
  const rounds = job.status === 'ready_for_customer_review' ? [used - 1] : [used - 1, used];
  const names = rounds.map((round) => `revision-${job.id}-${round}`);
  const text = names.map(drafts.read).findLast((words) => words.trim() !== '');
  if (text === undefined) return null;
  return (
    <KeptTexts texts={[{ label: 'Changes', text }]} onClose={() => drafts.forget(names)}>
      {sayMoved(job, job.deliveries.at(-1)?.round ?? 0)}
    </KeptTexts>
  );
}
