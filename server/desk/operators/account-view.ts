import { sql } from 'kysely';
import type { Trx } from '../../db/pool.ts';

/** Ends the views of an operator who may view accounts no more. */
export const endViewsOf = (trx: Trx, operatorId: string) =>
  sql`
    update sessions set viewed_account_id = null, viewed_until = null
    where user_id = ${operatorId} and viewed_account_id is not null`.execute(trx);

/** Ends the view of a session, or only that of one account. Returns the account unless the time was over. */
export async function endView(trx: Trx, sessionId: string, only: string | null = null): Promise<string | null> {
  const { rows } = await sql<{ account_id: string | null }>`
    with viewed as (
      select id, viewed_account_id as account_id, viewed_until > now() as live
      from sessions where id = ${sessionId} and viewed_account_id = coalesce(${only}::uuid, viewed_account_id) for update
    ), ended as (
      update sessions set viewed_account_id = null, viewed_until = null where id in (select id from viewed))
    select account_id from viewed where live`.execute(trx);
  return rows[0]?.account_id ?? null;
}
