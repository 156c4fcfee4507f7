import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { deskPages } from '../../contract/pages.ts';
import { api, AtelierError, type DeskJob, useOperation } from '../api.ts';
import { useSession } from '../session.tsx';
import { sayFailure } from '../ui/failure.tsx';
import { pathTo } from '../ui/address.ts';
import { keepLease } from './lease.ts';
import { statusNow } from './words.ts';

export const say = (message: string) => void notifications.show({ message });

const saidFailure = (error: Error) => {
  const { title, step } = sayFailure(error);
  return [title, step].filter(Boolean).join('. ');
};

/** One Idempotency-Key for a move of a job in its present state: pressing twice moves once. */
export function useMoveKey(state: string): string {
  const [kept, setKept] = useState(() => ({ state, key: crypto.randomUUID() }));
  if (kept.state === state) return kept.key;
  const next = { state, key: crypto.randomUUID() };
  setKept(next);
  return next.key;
}

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
          onSuccess: () => say('Accepted. It is yours.'),
          onError: (error) => void sayWhoWasFirst(id, user.id, error),
        },
      ),
  };
}

/** Seconds of the lease under which the console takes the next job; the open page extends it. */
const leaseSeconds = 900;

/** Takes the job that the service gives next, whoever else asks at the same moment, and opens it. */
export function useTakeNext(family: string | undefined) {
  const claim = useOperation('claimJob');
  const navigate = useNavigate();
  return {
    pending: claim.isPending,
    take: () =>
      claim.mutate(
        { body: { lease_seconds: leaseSeconds, ...(family ? { service_families: [family] } : {}) } },
        {
          onSuccess: (claimed) => {
            // 204: there is nothing to take.
            if (!claimed?.lease) return say('There is no free job to take.');
            keepLease(claimed.job.id, { token: claimed.lease.token, seconds: leaseSeconds });
            return void navigate({ to: pathTo(deskPages.job, { id: claimed.job.id }) });
          },
          onError: (error) => say(saidFailure(error)),
        },
      ),
  };
}
