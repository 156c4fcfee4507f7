import type { RawBuilder } from 'kysely';
import type { Db } from './pool.ts';

/** Runs a statement that deletes so many rows at most until it finds none: a piece at a time, so that no request waits long. */
export async function deleteInBatches(db: Db, piece: RawBuilder<unknown>, stopped: AbortSignal): Promise<void> {
  for (let swept = 1n; swept > 0n && !stopped.aborted;) swept = (await piece.execute(db)).numAffectedRows ?? 0n;
}
