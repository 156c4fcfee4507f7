import { useRead } from '../app/use-reads.ts';
import { countsRead, unreadRead, waitingRead } from './frame.reads.ts';

const often = { refetchInterval: 30_000 };

/** How many jobs wait for the customer: deliveries and questions. Undefined until both are counted. */
export function useYourTurn(): number | undefined {
  const counts = useRead(countsRead, often).data?.counts;
  const waiting = useRead(waitingRead, often).data?.counts;
  if (!counts || !waiting) return undefined;
  return counts.ready_for_customer_review + Object.values(waiting).reduce((sum, count) => sum + count, 0);
}

export function useUnread(): { total: number; of: (jobId: string) => number } {
  const { data } = useRead(unreadRead, often);
  const unread = new Map(data?.jobs.map((job) => [job.job_id, job.unread]));
  return { total: data?.total ?? 0, of: (jobId) => unread.get(jobId) ?? 0 };
}
