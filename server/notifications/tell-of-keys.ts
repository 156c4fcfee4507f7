import { sql } from 'kysely';
import { type Db, transact } from '../db/pool.ts';
import { notify } from './notify.ts';

type Ending = { id: string; account_id: string; name: string; created_by: string; until: string };

/** Notifies creators of API keys that end within a week, unless the keys live no longer than that. */
export async function tellOfKeys(db: Db, stopped: AbortSignal): Promise<void> {
  const { rows } = await sql<Ending>`
    select k.id, k.account_id, k.name, k.created_by, k.expires_at::text as until from api_keys k
    join members m on m.account_id = k.account_id and m.user_id = k.created_by
    where k.revoked_at is null and k.expires_at > now() and k.expires_at <= now() + interval '7 days'
      and k.created_at < k.expires_at - interval '7 days' and k.app_client_id is null
      and not exists (select from notifications n where n.user_id = k.created_by and n.kind = 'key_expiring'
        and n.cause = k.id || ' ' || k.expires_at::text)
    order by k.expires_at limit 1000`.execute(db);
  for (const { id, account_id: accountId, name: about, created_by, until } of rows) {
    if (stopped.aborted) return;
    await transact(db, (trx) =>
      notify(trx, [created_by], { kind: 'key_expiring', cause: `${id} ${until}`, accountId, about }),
    );
  }
}
