import { api, AtelierError, useOperation } from '../../app/api.ts';
import { useSession } from '../../app/session/session.tsx';
import { failureSentence } from '../../ui/page/failure.tsx';
import { notify } from '../../ui/page/notify.ts';
import { firstWords } from './words.ts';

/** Tells the second of two operators who got the job. */
export async function notifyWhoWasFirst(id: string, me: string, error: Error): Promise<void> {
  if (!(error instanceof AtelierError) || error.status !== 409) return notify(failureSentence(error));
  const { job } = await api.readDeskJob({ path: { id } }).catch(() => ({ job: null }));
  return notify(job ? firstWords(job, me) : failureSentence(error));
}

export function useAccept() {
  const accept = useOperation('acceptJob');
  const { user } = useSession();
  return {
    pending: accept.isPending,
    accept: (id: string) =>
      accept.mutate(
        { path: { id } },
        {
          onError: (error) => void notifyWhoWasFirst(id, user.id, error),
        },
      ),
  };
}
