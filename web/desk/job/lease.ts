import { useEffect } from 'react';
import { AtelierError, type DeskJob, useOperation } from '../../app/api.ts';
import { useNow } from '../../ui/time/now.ts';

type Kept = { token: string; seconds: number };

const nameOf = (jobId: string) => `atelier-lease-${jobId}`;

/** The token stays in this browser, so that a reload or another tab goes on holding the job. */
export const keepLease = (jobId: string, lease: Kept) => localStorage.setItem(nameOf(jobId), JSON.stringify(lease));

export const forgetLease = (jobId: string) => localStorage.removeItem(nameOf(jobId));

export function keptLease(jobId: string): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(nameOf(jobId)) ?? 'null') as Kept | null;
  } catch {
    return null;
  }
}

export type Lease = {
  /** Milliseconds until the hold ends by itself; 0 when it has. */
  left: number;
  /** Of all that an extension gives. */
  share: number;
  /** So little is left that an extension must have failed. */
  ending: boolean;
  extend: () => void;
  extending: boolean;
  error: AtelierError | null;
};

/** The lease that the operator holds the job under, kept alive while the page is open; null without one. */
export function useLease(job: DeskJob, me: string): Lease | null {
  const now = useNow(1_000);
  const beat = useOperation('heartbeatLease');
  const kept = keptLease(job.id);
  const expires = job.holder?.operator_id === me ? job.holder.lease_expires_at : null;
  const held = kept !== null && expires !== null;
  const seconds = kept?.seconds ?? 0;
  const extend = () => {
    if (kept) beat.mutate({ path: { id: job.id }, body: { lease_token: kept.token } });
  };
  useEffect(() => {
    if (!held) return;
    const timer = setInterval(extend, (seconds * 1000) / 3);
    return () => clearInterval(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- `extend` reads what is kept at that moment
  }, [held, seconds, job.id]);
  if (!held || !expires) return null;
  const left = Math.max(0, Date.parse(expires) - now);
  return {
    left,
    share: Math.min(1, left / (seconds * 1000)),
    ending: left < (seconds * 1000) / 3,
    extend,
    extending: beat.isPending,
    error: beat.error,
  };
}
