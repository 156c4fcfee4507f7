import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import { databaseTime, type Trx } from '../db/pool.ts';
import type { Encryption } from '../lib/encryption.ts';
import { secretPrefix } from './sign-delivery.ts';
import type { EndpointRow } from './webhook-endpoint.ts';

export const secretPurpose = 'webhook secret';

/** Creates a secret of an endpoint, which is shown once. */
export async function addSecret(
  trx: Trx,
  encryption: Encryption,
  { account_id, id }: Pick<EndpointRow, 'account_id' | 'id'>,
): Promise<{ secret: string; created_at: Date }> {
  const secret = `${secretPrefix}${randomBytes(32).toString('base64')}`;
  await sql`
    insert into webhook_secrets (account_id, endpoint_id, ciphertext)
    values (${account_id}, ${id}, ${encryption.encrypt(secretPurpose, secret)})`.execute(trx);
  return { secret, created_at: await databaseTime(trx) };
}

export const storeNow = 'Store the secret now; it is not shown again.';

/** For a repeat, which has no secret. */
export const rotateIfLost = (id: string) =>
  `The secret was shown once. If it is lost, replace it with POST /api/v1/webhook-endpoints/${id}/rotate-secret.`;
