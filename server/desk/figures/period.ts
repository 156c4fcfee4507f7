import { sql } from 'kysely';
import type { Db } from '../../db/pool.ts';
import { badRequest } from '../../http/refusal.ts';

export type Period = { start: Date; end: Date };

/** The default is the last 30 days, including today. */
export async function readPeriod(db: Db, query: { period_start?: string; period_end?: string }): Promise<Period> {
  const { rows } = await sql<Period & { days: number }>`
    select s.at as start, e.at as end, extract(epoch from e.at - s.at)::float / 86400 as days
    from (select coalesce(${query.period_end ?? null}::timestamptz, now()) as at) e,
      lateral (select coalesce(${query.period_start ?? null}::timestamptz,
        date_trunc('day', e.at, 'UTC') - interval '29 days') as at) s`.execute(db);
  const [bounds] = rows;
  if (!bounds || bounds.days < 0) throw badRequest('period_start', 'must not be later than `period_end`');
  if (bounds.days > 366) throw badRequest('period_start', 'must be at most 366 days before `period_end`');
  return bounds;
}
