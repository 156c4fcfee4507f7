import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';

/**
 * Access tokens are known for a week after their end, so that their apps learn why they are refused. A
 * rotated refresh token is kept until it would have ended: until then its second use ends the grant.
 */
export async function deleteOldTokens(db: Db, stopped: AbortSignal): Promise<void> {
  const old = (when: string) => sql`${sql.raw(when)} limit 1000 for update skip locked`;
  const ended = [
    sql`delete from oauth_access_tokens where id in (
      select id from oauth_access_tokens where ${old("expires_at < now() - interval '7 days'")})`,
    sql`delete from oauth_refresh_tokens where id in (
      select id from oauth_refresh_tokens where ${old('expires_at < now()')})`,
    sql`delete from oauth_device_codes where id in (
      select id from oauth_device_codes where ${old('expires_at < now()')})`,
  ];
  for (const statement of ended) await deleteInBatches(db, statement, stopped);
  // An app is known again as soon as it asks. One that registered itself keeps its place while a grant lives.
  // A document is read once a day, so its row is of no use to anybody soon after. `updated_at` is null for
  // an active app of the studio.
  await deleteInBatches(
    db,
    sql`delete from oauth_clients where id in (
      select c.id from oauth_clients c
      where c.updated_at < now() - case when c.client_discovery_id is null then interval '30 days' else interval '2 days' end
        and not exists (select from api_keys k where k.app_client_id = c.client_id
          and k.revoked_at is null and k.expires_at > now())
      limit 1000 for update skip locked)`,
    stopped,
  );
}
