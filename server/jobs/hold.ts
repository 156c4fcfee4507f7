import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { CallerOf } from '../http/caller.ts';
import type { JobChanges, JobRow } from './job.ts';

/** An operator holds the job from now on. An existing lease ends, and its token is forgotten. */
export const heldBy = (operatorId: string): JobChanges => ({
  operator_id: operatorId,
  worker_key_id: null,
  lease_token: null,
  held_since: sql<Date>`now()`,
  answered_at: null,
});

const secondsAfter = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000);

/** `at`: the time of the database once the job was locked. */
export const leasedTo = (caller: CallerOf<'desk'>, seconds: number, at: Date): JobChanges => ({
  operator_id: caller.method === 'session' ? caller.userId : null,
  worker_key_id: caller.method === 'worker_key' ? caller.keyId : null,
  held_since: sql<Date>`now()`,
  answered_at: null,
  lease_token: randomUUID(),
  lease_seconds: seconds,
  lease_expires_at: secondsAfter(at, seconds),
});

export const extended = ({ lease_seconds }: JobRow, at: Date): JobChanges => ({
  lease_expires_at: secondsAfter(at, lease_seconds ?? 0),
});

export const sameLease = ({ held_since, lease_expires_at }: JobRow): JobChanges => ({ held_since, lease_expires_at });
