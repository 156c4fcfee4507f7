import { sql } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import { byService } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import { type Db, transact } from '../db/pool.ts';

/** After seven days, with their accounts, so that the address is free. Not if they own anything. */
export async function deleteUnverifiedPeople(db: Db, stopped: AbortSignal): Promise<void> {
  for (let ids = await find(db); ids.length > 0 && !stopped.aborted; ids = await find(db))
    await transact(db, async (trx) => {
      const people = await trx
        .selectFrom('people')
        .select('id')
        .where('id', 'in', ids)
        .where('email_verified', '=', false)
        .forUpdate()
        .execute();
      const gone = people.map(({ id }) => id);
      if (gone.length === 0) return;
      await sql`delete from accounts where id in (select account_id from members where user_id = any(${gone}::uuid[]))`.execute(
        trx,
      );
      await trx.deleteFrom('people').where('id', 'in', gone).execute();
      const entries = gone.map(
        (id) => ({ action: 'user.deleted', subject: showId('user', id), accountId: null }) as const,
      );
      await appendAudit(trx, byService(), ...entries);
    });
}

async function find(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from people u
    where not u.email_verified and not u.operator and u.created_at < now() - interval '7 days'
      and not exists (
        select from members m where m.user_id = u.id and (
          exists (select from members other where other.account_id = m.account_id and other.user_id <> u.id)
          or exists (select from jobs where account_id = m.account_id)
          or exists (select from entitlements where account_id = m.account_id)
          or exists (select from api_keys where account_id = m.account_id)
          or exists (select from files where account_id = m.account_id)
          or exists (select from intake_sessions where account_id = m.account_id)
          or exists (select from provider_customers where account_id = m.account_id)
        ))
    limit 100`.execute(db);
  return rows.map(({ id }) => id);
}
