import { useDocumentVisibility } from '@mantine/hooks';
import { seeJob } from '../../app/session/bell.tsx';
import { useSession } from '../../app/session/session.tsx';
import { bellRead } from '../frame.reads.ts';
import { useQuery, type QueryKey } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isEnded } from '../../../contract/moves.ts';
import { type JobListItem, operationQuery, queryClient, type ReadJobResponse } from '../../app/api.ts';
import { isLive, useStreamState } from '../../app/live/live.ts';
import type { Read } from '../../app/reads.ts';
import { useRead } from '../../app/use-reads.ts';

/** Milliseconds between polls of running jobs without the stream. Otherwise polling is slow. */
const busy = 3_000;
const quiet = 30_000;

type Listed = Pick<JobListItem, 'status' | 'cover'>;

/** For `refetchInterval`. Hidden pages do not poll. No event tells that a picture is drawn. */
export const listInterval = (jobs: Listed[] | undefined): number =>
  jobs?.some(({ status, cover }) => cover?.poster_status === 'pending' || (!isLive() && !isEnded(status)))
    ? busy
    : quiet;

/** Reads the whole job only after new events. */
export function useLiveJob({ operation, input }: Read<'readJob'>) {
  const stream = useStreamState();
  const jobQuery = operationQuery(operation, input);
  const job = useQuery({
    ...jobQuery,
    refetchInterval: ({ state: { data } }) => {
      // No event tells that a picture is drawn, or that a film is copied, which takes minutes.
      if (data?.job.files.some(({ poster_status }) => poster_status === 'pending')) return busy;
      const isCopying = data?.job.files.some(({ viewing_copy }) => viewing_copy === 'pending');
      return isCopying || (data && !isEnded(data.job.status)) ? quiet : false;
    },
  });
  const seen = job.data?.events.at(-1)?.seq ?? 0;
  const active = job.data !== undefined && !isEnded(job.data.job.status);
  useQuery({
    ...operationQuery('listJobEvents', { path: input.path, query: { after: seen } }),
    enabled: active && stream !== 'live',
    refetchInterval: 2_000,
    select: ({ events }) => {
      if (events.length > 0) void rereadUnlessSeen(jobQuery.queryKey, events.at(-1)?.seq ?? 0);
      return events.length;
    },
  });
  return job;
}

async function rereadUnlessSeen(queryKey: QueryKey, seq: number): Promise<void> {
  const lastSeq = queryClient.getQueryData<ReadJobResponse>(queryKey)?.events.at(-1)?.seq ?? 0;
  if (lastSeq >= seq) return;
  const keys = [queryKey, ['listMessages', queryKey[1]]];
  await Promise.all(keys.map(async (key) => queryClient.invalidateQueries({ queryKey: key })));
}

/** Looking at a job, or at its review, clears what the bell says about it, now and while one looks. */
export function useSeen(jobId: string): void {
  const isLookedAt = useDocumentVisibility() === 'visible';
  const { view } = useSession();
  const unread = useRead(bellRead, { enabled: !view }).data?.unread ?? 0;
  useEffect(() => {
    if (isLookedAt && !view && unread > 0) void seeJob(jobId);
  }, [isLookedAt, view, unread, jobId]);
}

type Titled = { rows?: { id?: string; customer_title?: string }[] };

/** The title of a job as a list had it, for the time until the job is read. */
export const titleInLists = (id: string): string | undefined =>
  queryClient
    .getQueriesData<Titled>({ queryKey: ['listJobs'] })
    .flatMap(([, data]) => data?.rows ?? [])
    .find((job) => job.id === id)?.customer_title;
