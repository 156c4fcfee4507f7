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

/** The lease lasts its seconds from now on. */
export const extended: JobChanges = {
  lease_expires_at: sql<Date>`clock_timestamp() + make_interval(secs => lease_seconds)`,
};

/** The lease goes on as it is, although the job moves. */
export const sameLease = ({ held_since, lease_expires_at }: JobRow): JobChanges => ({ held_since, lease_expires_at });
