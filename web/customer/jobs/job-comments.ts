import { useQuery } from '@tanstack/react-query';
import { type Job, operationQuery } from '../../app/api.ts';
import { type CommentCounts, countComments } from './comment-counts.ts';

export function useJobComments(job: Job): CommentCounts {
  const { data } = useQuery({
    ...operationQuery('listComments', { path: { id: job.id } }),
    enabled: job.deliveries.length > 0,
  });
  return countComments(data?.comments ?? [], job.deliveries.at(-1)?.round ?? 0);
}
