import { useEffect } from 'react';
import { type DeskJob, useOperation } from '../../app/api.ts';
import { readStored } from '../../ui/page/read-stored.ts';
import { useNow } from '../../ui/time/now.ts';

type StoredLease = { token: string; seconds: number };

const nameOf = (jobId: string) => `atelier-lease-${jobId}`;

/** Stored in this browser, so that reloads and other tabs keep the job. */
export const keepLease = (jobId: string, lease: StoredLease) =>
  localStorage.setItem(nameOf(jobId), JSON.stringify(lease));

export const forgetLease = (jobId: string) => localStorage.removeItem(nameOf(jobId));

export const keptLease = (jobId: string) => readStored(localStorage, nameOf(jobId)) as StoredLease | null;

/** What a move says about the lease under which this browser holds the job. */
export function leaseOf({ id, holder }: DeskJob): { lease_token?: string } {
  const lease = keptLease(id);
  return lease && holder?.lease_expires_at ? { lease_token: lease.token } : {};
}

export type Lease = NonNullable<ReturnType<typeof useLease>>;

/** The operator's lease, extended while the page is open; null without one. */
export function useLease(job: DeskJob, me: string) {
  const now = useNow(1_000);
  const beat = useOperation('heartbeatLease');
  const stored = keptLease(job.id);
  const expires = job.holder?.operator_id === me ? job.holder.lease_expires_at : null;
  const isHeld = stored !== null && expires !== null;
  const seconds = stored?.seconds ?? 0;
  const extend = () => {
    if (stored) beat.mutate({ path: { id: job.id }, body: { lease_token: stored.token } });
  };
  useEffect(() => {
    if (!isHeld) return;
    const timer = setInterval(extend, (seconds * 1000) / 3);
    return () => clearInterval(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- `extend` reads what is kept at that moment
  }, [isHeld, seconds, job.id]);
  if (!isHeld || !expires) return null;
  const left = Math.max(0, Date.parse(expires) - now);
  return {
    /** Milliseconds until the lease ends. */
    left,
    /** `left` as a share of a full lease. */
    share: Math.min(1, left / (seconds * 1000)),
    /** So short that an extension must have failed. */
    ending: left < (seconds * 1000) / 3,
    extend,
    extending: beat.isPending,
  };
}
