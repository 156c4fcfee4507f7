import { sql } from 'kysely';
import { parkedAfter } from '../../contract/moves.ts';
import { batch } from '../db/batch.ts';
import type { Db, Trx } from '../db/pool.ts';
import { transact } from '../db/transact.ts';
import type { JobRow } from '../jobs/job.ts';
import { type Claim, leaseJobs } from './claim-statement.ts';
import { type DeskRow, findDeskRows } from './desk-job.ts';

/** The job that a claim got; null where there was none to be had. */
export type Claimed = DeskRow | null;
export type ClaimNext = (claim: Claim) => Promise<Claimed>;

/** Claims for all requests of a process: concurrent ones that choose from the same jobs share their statements. */
export function createClaimQueue(db: Db, graceHours: number): ClaimNext {
  return batch(
    async (claims: readonly Claim[]) => {
      const groups = Map.groupBy(claims, choiceOf);
      const claimed = await Promise.all(
        [...groups.values()].map((group) => transact(db, (trx) => claimTogether(trx, group, graceHours))),
      );
      const rows = new Map(
        [...groups.values()].flatMap((group, n) => group.map((claim, at) => [claim, claimed[n]?.[at]])),
      );
      return claims.map((claim) => rows.get(claim) ?? null);
    },
    { maxBatchSize: 50, maxInFlight: 2 },
  );
}

/** What a claim chooses from. Parked jobs are offered to operators only. */
const choiceOf = ({ caller, families }: Claim): string =>
  caller.method === 'session' ? JSON.stringify([families]) : JSON.stringify([families, caller.serviceFamilies]);

/** Claims that choose from the same jobs get the next ones, in their order. */
export async function claimTogether(trx: Trx, claims: readonly Claim[], graceHours: number): Promise<Claimed[]> {
  const jobs = await nextJobs(trx, claims);
  const taken = jobs.flatMap((job, n) => (claims[n] ? [{ job, claim: claims[n] }] : []));
  if (taken.length === 0) return claims.map(() => null);
  await leaseJobs(trx, taken);
  const rows = await findDeskRows(
    trx,
    jobs.map(({ id }) => id),
    graceHours,
  );
  return claims.map((_, n) => rows.get(jobs[n]?.id ?? '') ?? null);
}

/**
 * The oldest jobs to be had, locked: revisions and returned jobs first, then the queue. A job that another claim has just
 * locked is passed over, so that claims do not wait for each other.
 */
async function nextJobs(trx: Trx, claims: readonly Claim[]): Promise<Pick<JobRow, 'account_id' | 'id' | 'status'>[]> {
  const [{ caller, families } = { caller: null, families: null }] = claims;
  const allowed = caller?.method === 'worker_key' ? caller.serviceFamilies : null;
  const { rows } = await sql<Pick<JobRow, 'account_id' | 'id' | 'status'>>`
    select account_id, id, status from jobs
    where status in ('queued', 'accepted', 'running') and held_since is null
      and (lease_expiries < ${parkedAfter} or ${caller?.method === 'session'})
      and (${families}::text[] is null or service_family = any(${families}::text[]))
      and (${allowed}::text[] is null or service_family = any(${allowed}::text[]))
    order by (status = 'queued'), created_at, id
    limit ${claims.length} for update skip locked`.execute(trx);
  return rows;
}
