import type { RawBuilder } from 'kysely';
import type { Db } from './pool.ts';

/** Small batches keep requests from waiting for locks. */
export async function deleteInBatches(db: Db, piece: RawBuilder<unknown>, stopped: AbortSignal): Promise<void> {
  for (let swept = 1n; swept > 0n && !stopped.aborted;) swept = (await piece.execute(db)).numAffectedRows ?? 0n;
}
