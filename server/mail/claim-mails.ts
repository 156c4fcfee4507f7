import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { About } from './letter.ts';
import type { KindName } from './kinds.ts';

export type ClaimedMail = { id: string; kind: KindName; attempts: number; expired: boolean; about: Required<About> };

/** A claim counts the attempt and moves due_at a minute ahead, in case the process is killed. */
export async function claimMails(db: Db, most: number): Promise<ClaimedMail[]> {
  const { rows } = await sql<ClaimedMail>`
    with due as (
      select id, expires_at <= now() as expired from mails where due_at <= now() order by due_at, id limit ${most} for update skip locked
    )
    update mails m set attempts = m.attempts + 1, due_at = now() + interval '1 minute'
    from due where m.id = due.id
    returning m.id, m.kind, m.attempts, due.expired,
      jsonb_build_object('userId', m.user_id, 'address', m.address, 'data', m.data) as about`.execute(db);
  return rows;
}

export const forgetMail = (db: Db, id: string) => db.deleteFrom('mails').where('id', '=', id).execute();

/** Makes the mail due at once, for another process or the next start. */
export const returnMail = (db: Db, id: string) =>
  sql`update mails set due_at = now(), attempts = attempts - 1 where id = ${id}`.execute(db);

/** Waits 15 seconds, doubling up to an hour. If the mail would expire first, deletes it and returns false. */
export async function postponeMail(db: Db, { id, attempts }: ClaimedMail): Promise<boolean> {
  const pause = Math.min(15 * 2 ** (attempts - 1), 3_600);
  const { numUpdatedRows } = await db
    .updateTable('mails')
    .set({ due_at: sql<Date>`now() + make_interval(secs => ${pause})` })
    .where('id', '=', id)
    .where(sql<boolean>`now() + make_interval(secs => ${pause}) < expires_at`)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return true;
  await forgetMail(db, id);
  return false;
}
