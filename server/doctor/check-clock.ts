import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { type Finding, ok, warn } from './finding.ts';

const most = 1_000;

/** The way to the database and back counts for neither. */
export async function checkClock(db: Db, now: () => number = () => Date.now()): Promise<Finding> {
  await sql`select`.execute(db); // connects first
  const before = now();
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`.execute(db);
  const after = now();
  const at = rows[0]?.at ?? 0;
  const ahead = Math.max(before - at, at - after, 0);
  if (ahead <= most) return ok('The clocks of this machine and the database agree within a second.');
  return warn(
    `The clock of this machine is ${(ahead / 1000).toFixed(1)} s ${before > at ? 'ahead of' : 'behind'} the database.`,
    'Synchronise both with NTP: timedatectl set-ntp true',
  );
}
