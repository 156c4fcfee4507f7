import { queryClient } from '../../app/api.ts';

type Listed = { rows?: { id?: string; customer_title?: string }[] };

/** The title of a job as a list had it, for the time until the job is read. */
export const titleInLists = (id: string): string | undefined =>
  queryClient
    .getQueriesData<Listed>({ queryKey: ['listJobs'] })
    .flatMap(([, data]) => data?.rows ?? [])
    .find((job) => job.id === id)?.customer_title;
