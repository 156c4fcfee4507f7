import { type RawBuilder, sql } from 'kysely';
import { Refusal } from '../http/refusal.ts';
import type { JobRow } from './job.ts';

/** The round of the last delivery that the customer has of a job; null before the first. */
export const lastRound = (accountId: string, jobId: RawBuilder<unknown>) => sql<number | null>`(
  select max(s.round) from job_submissions s
  where s.account_id = ${accountId} and s.job_id = ${jobId} and s.released_at is not null)`;

/** Whether a row of `files` is work that the customer has. */
export const isDelivered = (row: string) => sql<boolean>`(${sql.ref(`${row}.uploaded_by`)} = 'studio'
  and ${sql.ref(`${row}.purpose`)} = 'job_deliverable' and ${sql.ref(`${row}.released_at`)} is not null)`;

/**
 * Whether a row of `files` is uploaded and not deleted. By its times, because an index of all uploaded files
 * would be read whole where this is planned before there are files.
 */
export const hasBytes = (row: string) => sql<boolean>`(${sql.ref(`${row}.uploaded_at`)} is not null
  and ${sql.ref(`${row}.deleted_at`)} is null)`;

/** Whether a row of `files` belongs to the last delivery of a completed job. */
export function isFinal(accountId: string, row: string): RawBuilder<boolean> {
  const jobId = sql.ref(`${row}.job_id`);
  return sql<boolean>`(${isDelivered(row)} and ${sql.ref(`${row}.round`)} = ${lastRound(accountId, jobId)}
    and exists (select from job_outcomes o
      where o.account_id = ${accountId} and o.job_id = ${jobId} and o.status = 'completed'))`;
}

/** `round`: the delivery that the caller has seen, if they said so. */
export function refuseOtherDelivery({ revisions_used, status }: JobRow, round: number | undefined): void {
  if (round === undefined || round === revisions_used) return;
  throw new Refusal('delivery_changed', {
    message: `You reviewed delivery ${round + 1}; the job is ${status} in round ${revisions_used}, which is delivery ${revisions_used + 1}.`,
  });
}
