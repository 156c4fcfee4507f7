import { sql } from 'kysely';
import { type Db, transact } from '../db/pool.ts';
import { newId } from '../lib/id.ts';
import { queueMail } from '../mail/outbox.ts';

/** The hour of the day at which the mail of the day leaves, in the time zone of the studio. */
const hour = 7;

/** One mail a day to each person, of what happened before 7:00 and waits for it. */
export async function queueDigests(db: Db, timeZone: string, stopped: AbortSignal): Promise<void> {
  const shift = sql`make_interval(hours => ${sql.lit(hour)})`;
  const { rows } = await sql<{ user_id: string; until: Date }>`
    with last as (
      select (date_trunc('day', now() at time zone ${timeZone} - ${shift}) + ${shift}) at time zone ${timeZone} as at)
    select distinct n.user_id, last.at as until from notifications n, last where n.daily and n.created_at < last.at
    order by n.user_id limit 1000`.execute(db);
  for (const { user_id, until } of rows) {
    if (stopped.aborted) return;
    await queueDigest(db, user_id, until);
  }
}

const queueDigest = (db: Db, userId: string, until: Date): Promise<void> =>
  transact(db, async (trx) => {
    const digest_id = newId();
    const { numAffectedRows = 0n } = await sql`
      update notifications set daily = false, digest_id = ${digest_id}
      where user_id = ${userId} and daily and created_at < ${until}`.execute(trx);
    if (numAffectedRows > 0n) await queueMail(trx, { kind: 'digest', userId, data: { digest_id } });
  });
