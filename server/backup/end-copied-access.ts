import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';

/**
 * Ends sessions, keys, grants, links and payment pages. Passwords and second factors stay, for signing in.
 * Its test looks at every column that could have a secret.
 */
export async function endCopiedAccess(trx: Trx): Promise<void> {
  for (const statement of statements) await statement.execute(trx);
}

const statements = [
  sql`delete from calendars`,
  sql`delete from upload_pages`,
  sql`delete from mail_tokens`,
  sql`delete from oauth_access_tokens`,
  sql`delete from oauth_refresh_tokens`,
  sql`delete from oauth_consents`,
  sql`delete from oauth_device_codes`,
  sql`delete from verifications`,
  sql`delete from sessions`,
  sql`delete from operator_invitations`,
  sql`update invitations set status = 'canceled', token_digest = null where status = 'pending' or token_digest is not null`,
  sql`update api_keys set revoked_at = now() where revoked_at is null`,
  sql`update worker_keys set revoked_at = now() where revoked_at is null`,
  sql`update review_links set revoked_at = now() where revoked_at is null`,
  sql`update oauth_clients set client_secret = null where client_secret is not null`,
  // Endpoints have addresses and secrets of receivers. Their deliveries end with them.
  sql`delete from webhook_endpoints`,
  sql`delete from checkouts where paid_at is null`,
  // Remembered answers have addresses of the provider, and signed URLs.
  sql`delete from idempotency_keys`,
  sql`delete from caller_idempotency_keys`,
];
