import { sql } from 'kysely';
import type { JobRow } from './job.ts';
import type { JobChanges } from './move.ts';

/** An operator holds the job from now on. A lease that there was is over, and its token no longer known. */
export const heldBy = (operatorId: string): JobChanges => ({
  operator_id: operatorId,
  worker_key_id: null,
  lease_token: null,
  held_since: sql<Date>`now()`,
});

/**
 * A new lease of so many seconds, with a token of its own, for an operator or for a worker. It is counted from the moment
 * of the statement and not of the transaction, which may have waited: nobody gets less than was told.
 */
const leasedTo = (holder: { operator_id: string } | { worker_key_id: string }, seconds: number): JobChanges => ({
  operator_id: null,
  worker_key_id: null,
  ...holder,
  held_since: sql<Date>`now()`,
  lease_token: sql<string>`gen_random_uuid()`,
  lease_seconds: seconds,
  lease_expires_at: sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`,
});

/** The lease lasts its seconds from now on. */
export const extended: JobChanges = {
  lease_expires_at: sql<Date>`clock_timestamp() + make_interval(secs => lease_seconds)`,
};

/** The lease goes on as it is, although the job moves. */
export const sameLease = ({ held_since, lease_expires_at }: JobRow): JobChanges => ({ held_since, lease_expires_at });
