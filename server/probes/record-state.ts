import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { countState } from './count-state.ts';

/** A scheduled task, so that one process counts for all. */
export async function recordState({ db }: { db: Db }): Promise<void> {
  const figures = await countState(db);
  await sql`
    insert into state_figures (only_row, figures, counted_at) values (true, ${JSON.stringify(figures)}::jsonb, now())
    on conflict (only_row) do update set figures = excluded.figures, counted_at = excluded.counted_at`.execute(db);
}
