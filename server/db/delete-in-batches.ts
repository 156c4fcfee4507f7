import type { RawBuilder } from 'kysely';
import type { Db } from './pool.ts';

/**
 * Repeats a statement that deletes a limited number of rows until none are left. Small batches keep requests
 * from waiting.
 */
export async function deleteInBatches(db: Db, piece: RawBuilder<unknown>, stopped: AbortSignal): Promise<void> {
  for (let swept = 1n; swept > 0n && !stopped.aborted;) swept = (await piece.execute(db)).numAffectedRows ?? 0n;
}
