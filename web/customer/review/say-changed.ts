import { type AtelierError, type Job, operationQuery, queryClient } from '../../app/api.ts';
import { notify } from '../../ui/page/page.tsx';

type Seen = { job: Job; round: number; onClose: () => void };

/** Of a refusal because the job has moved on: says what happened, and that this page decided nothing. */
export const whenChanged =
  (seen: Seen, nothing: string) =>
  ({ status }: AtelierError): void => {
    // 400: a job that has ended is not approved.
    if (status === 409 || status === 400) void tellMoved(seen, nothing);
  };

async function tellMoved({ job, round, onClose }: Seen, nothing: string): Promise<void> {
  const query = operationQuery('readJob', { path: { id: job.id } });
  await queryClient.invalidateQueries({ queryKey: query.queryKey });
  const answer = await queryClient.fetchQuery(query).catch(() => null);
  if (!answer || !hasMoved(answer.job, round)) return;
  onClose();
  notify(`${sayMoved(answer.job, round)} ${nothing}`);
}

const hasMoved = ({ status, deliveries }: Job, round: number): boolean =>
  status !== 'ready_for_customer_review' || (deliveries.at(-1)?.round ?? 0) > round;

function sayMoved({ status, deliveries }: Job, round: number): string {
  const newest = deliveries.at(-1)?.round ?? 0;
  if (newest > round) return `Delivery ${newest + 1} has come meanwhile.`;
  if (status === 'completed') return 'The work was approved meanwhile.';
  if (status === 'canceled') return 'The job was canceled meanwhile.';
  return 'Changes were asked for meanwhile.';
}
