import type { RawBuilder } from 'kysely';
import type { Db } from './pool.ts';

/** Small batches keep requests from waiting for locks. */
export async function deleteInBatches(db: Db, piece: RawBuilder<unknown>, stopped: AbortSignal): Promise<void> {
  for (let swept = 1n; swept > 0n && !stopped.aborted;) swept = (await piece.execute(db)).numAffectedRows ?? 0n;
}

/**
 * Finds rows of any accounts, then deletes those of one account after the other: no statement locks rows of
 * two accounts. `deletes` skips rows that are locked. Ends when it finds nothing that it can delete.
 */
export async function deleteByAccount<Row extends { account_id: string }>(
  db: Db,
  candidates: RawBuilder<Row>,
  deletes: (accountId: string, rows: readonly Row[]) => RawBuilder<unknown>,
  stopped: AbortSignal,
): Promise<void> {
  for (let deleted = 1n; deleted > 0n && !stopped.aborted;) {
    deleted = 0n;
    const { rows } = await candidates.execute(db);
    for (const [accountId, ofAccount] of Map.groupBy(rows, ({ account_id }) => account_id)) {
      if (stopped.aborted) return;
      deleted += (await deletes(accountId, ofAccount).execute(db)).numAffectedRows ?? 0n;
    }
  }
}
