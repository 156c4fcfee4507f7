import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { CallerOf } from '../http/request.ts';
import type { JobChanges, JobRow } from './job.ts';

/** An operator has had the work of this round. Of a worker it is who made its key. */
const hadBy = (operator: RawBuilder<unknown>): JobChanges => ({
  round_operators: sql<string[]>`array_append(array_remove(round_operators, ${operator}), ${operator})`,
});

/** An operator holds the job from now on. An existing lease ends, and its token is forgotten. */
export const heldBy = (operatorId: string): JobChanges => ({
  ...hadBy(sql`${operatorId}::uuid`),
  operator_id: operatorId,
  worker_key_id: null,
  lease_token: null,
  held_since: sql<Date>`now()`,
  answered_at: null,
});

const secondsAfter = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000);

/** `at`: the time of the database once the job was locked. */
export const leasedTo = (caller: CallerOf<'desk'>, seconds: number, at: Date): JobChanges => ({
  ...hadBy(
    caller.method === 'session'
      ? sql`${caller.userId}::uuid`
      : sql`(select created_by from worker_keys where id = ${caller.keyId})`,
  ),
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
