import { api, AtelierError, type DeskJob, useOperation } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { sayFailure } from '../../ui/page/failure.tsx';
import { statusNow } from './words.ts';

/** One message at a time, and not for long: what was done shows on the page as well. */
export function say(message: string): void {
  void show(message);
}

async function show(message: string): Promise<void> {
  const { notifications } = await import('@mantine/notifications');
  notifications.clean();
  notifications.show({ message, autoClose: 4_000 });
}

export const saidFailure = (error: Error) => {
  const { title, step } = sayFailure(error);
  return [title, step].filter(Boolean).join('. ');
};

/** Where two wanted the same job, the second one reads who was first. */
export async function sayWhoWasFirst(id: string, me: string, error: Error): Promise<void> {
  if (!(error instanceof AtelierError) || error.status !== 409) return say(saidFailure(error));
  const { job } = await api.readDeskJob({ path: { id } }).catch(() => ({ job: null }));
  return say(job ? firstWords(job, me) : saidFailure(error));
}

export function firstWords({ status, holder }: Pick<DeskJob, 'status' | 'holder'>, me: string): string {
  if (holder?.operator_id === me) return `You hold this job already; it is ${statusNow[status]}.`;
  return holder
    ? `${holder.name} was first: the job is ${statusNow[status]}.`
    : `Somebody was first: the job is ${statusNow[status]}.`;
}

/** Accepts a queued job without leaving the list. */
export function useAccept() {
  const accept = useOperation('acceptJob');
  const { user } = useSession();
  return {
    pending: accept.isPending,
    accept: (id: string) =>
      accept.mutate(
        { path: { id } },
        {
          onError: (error) => void sayWhoWasFirst(id, user.id, error),
        },
      ),
  };
}
