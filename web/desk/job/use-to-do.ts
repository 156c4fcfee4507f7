import { useQuery } from '@tanstack/react-query';
import { type DeskJob, operationQuery, type ReviewComment } from '../../app/api.ts';

export type ToDo = { comments: ReviewComment[]; open: number };

/** The comments that came with the newest request for changes. */
export function useToDo(job: DeskJob): ToDo {
  const { used } = job.revisions;
  const { data } = useQuery({
    ...operationQuery('listDeskComments', { path: { id: job.id } }),
    enabled: used > 0,
  });
  const comments = data?.comments.filter(({ round }) => round === used - 1) ?? [];
  return { comments, open: comments.filter(({ done_at: at }) => at === null).length };
}
