import { useMemo } from 'react';
import { useRead } from '../../app/use-reads.ts';
import { unreadRead } from '../frame.reads.ts';

/** How many messages of the customer the operator has not read, by job. */
export function useDeskUnread(): ReadonlyMap<string, number> {
  const { data } = useRead(unreadRead);
  return useMemo(() => new Map(data?.jobs.map(({ job_id: id, unread }) => [id, unread])), [data]);
}
