import { useQuery } from '@tanstack/react-query';
import { type DeskJob, operationQuery, type ReviewComment } from '../../app/api.ts';

export type ToDo = { comments: ReviewComment[]; open: number };

/** The comments that came with the newest request for changes. */
export function useToDo(job: DeskJob): ToDo {
  const comments = useSentComments(job).filter(({ round }) => round === job.revisions.used - 1);
  return { comments, open: comments.filter(({ done_at: at }) => at === null).length };
}

/** The comments that came with all requests for changes. */
export function useSentComments(job: DeskJob): ReviewComment[] {
  const { data } = useQuery({
    ...operationQuery('listDeskComments', { path: { id: job.id } }),
    enabled: job.revisions.used > 0,
  });
  return data?.comments ?? [];
}
