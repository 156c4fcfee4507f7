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

export const leasedTo = (caller: CallerOf<'desk'>, seconds: number): JobChanges => ({
  operator_id: caller.method === 'session' ? caller.userId : null,
  worker_key_id: caller.method === 'worker_key' ? caller.keyId : null,
  held_since: sql<Date>`now()`,
  answered_at: null,
  lease_token: sql<string>`gen_random_uuid()`,
  lease_seconds: seconds,
  lease_expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`,
});

export const extended: JobChanges = {
  lease_expires_at: sql<Date>`clock_timestamp() + make_interval(secs => lease_seconds)`,
};

export const sameLease = ({ held_since, lease_expires_at }: JobRow): JobChanges => ({ held_since, lease_expires_at });
