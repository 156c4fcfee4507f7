import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import type { Time } from '../db/time.ts';
import { wishTooEarly } from './admission.ts';

/** The time that is wished for from now on. One that has passed is refused, unless it is the wish already. */
export async function acceptWish(trx: Trx, wish: string | null, before: Time | null): Promise<Date | null> {
  if (wish === null) return null;
  const { rows } = await sql<{ at: Date; is_past: boolean }>`
    select ${wish}::timestamptz(3) as at, ${wish}::timestamptz <= now() as is_past`.execute(trx);
  const [read] = rows;
  if (!read) throw new Error('The database did not read a time.');
  const isKept = before !== null && read.at.getTime() === new Date(before).getTime();
  if (read.is_past && !isKept) throw wishTooEarly();
  return read.at;
}
