import type { AnswerOf } from '../../contract/endpoint.ts';
import { type createApiKey as endpoint, scopes as allScopes } from '../../contract/keys.ts';
import type { Request } from '../http/request.ts';
import { type Db, databaseTime } from '../db/pool.ts';
import { newId } from '../lib/id.ts';
import { badBody } from '../http/refusal.ts';
import { showKey, shown } from './api-key.ts';
import { mintKey } from './plaintext-key.ts';

/** The only time that the plaintext exists: it is answered, and neither stored nor logged. */
export async function createApiKey(
  db: Db,
  lead: string,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { name, scopes = allScopes, expires_at = null } = request.body;
  if (expires_at !== null && new Date(expires_at) <= (await databaseTime(db)))
    throw badBody([{ location: '/expires_at', message: 'must be in the future' }]);
  const { plaintext, prefix, digest } = mintKey(lead);
  const row = await db
    .insertInto('api_keys')
    .values({
      id: newId(),
      account_id: request.caller.accountId,
      created_by: request.caller.userId,
      name,
      prefix,
      secret_sha256: digest,
      scopes: [...scopes],
      expires_at,
    })
    .onConflict((conflict) => conflict.column('prefix').doNothing())
    .returning(shown)
    .executeTakeFirst();
  if (!row) return createApiKey(db, lead, request); // one prefix in 10^12 is taken: draw again
  return { status: 201, body: { api_key: showKey(row), plaintext_key: plaintext } };
}
