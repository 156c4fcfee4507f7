import { sql } from 'kysely';
import { type Db, transact } from '../../db/pool.ts';
import { happenedInRange } from './happened.ts';

/** Stores the figures of each UTC day that ended an hour ago or earlier. No day is counted again. */
export async function storeDayFigures(db: Db, stopped: AbortSignal): Promise<void> {
  for (let day = await nextDay(db); day !== null && !stopped.aborted; day = await nextDay(db)) await store(db, day);
}

/** The hour is for transactions that began before midnight. */
async function nextDay(db: Db): Promise<string | null> {
  const { rows } = await sql<{ day: string }>`
    select day::text from (
      select coalesce((select max(day) + 1 from stored_days),
        (select (min(created_at) at time zone 'UTC')::date from jobs where imported_at is null)) as day) d
    where day + 1 <= (now() at time zone 'UTC' - interval '1 hour')::date`.execute(db);
  return rows[0]?.day ?? null;
}

const store = (db: Db, day: string): Promise<void> =>
  transact(db, async (trx) => {
    const { rows } = await sql`
      insert into stored_days (day) values (${day}::date) on conflict do nothing returning day`.execute(trx);
    if (rows.length === 0) return;
    await sql`
      insert into day_figures (day, service_family, created, delivered, on_time, revised, hours)
      select happened.* from (select ${day}::date::timestamp at time zone 'UTC' as first,
        (${day}::date + 1)::timestamp at time zone 'UTC' as until) r, lateral (${happenedInRange}) happened`.execute(
      trx,
    );
  });
