import { findExclusiveHolder, wordsOfHolder } from '../db/lock-holders.ts';
import type { Db } from '../db/pool.ts';

const queryCanceled = '57014';

/** What to do about a check that failed. `otherwise`: if no statement took too long. */
export const lockHint =
  (db: Db, schema: string, otherwise: string) =>
  async (failure: unknown): Promise<string> => {
    if (!isCanceled(failure)) return otherwise;
    const holder = await findExclusiveHolder(db, schema).catch(() => undefined);
    return holder
      ? wordsOfHolder(holder)
      : "Run doctor again, and look at what runs: select * from pg_stat_activity where state <> 'idle';";
  };

const isCanceled = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: unknown }).code === queryCanceled || isCanceled(error.cause));
