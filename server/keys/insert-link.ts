import { sql } from 'kysely';
import type { Trx } from '../db/pool.ts';
import type { Caller } from '../http/request.ts';
import { newId } from '../lib/id.ts';
import { mintKey } from './key-finder.ts';

type NewLink = {
  account_id: string;
  job_id: string;
  name: string;
  can_comment: boolean;
  expires_in_days?: number;
  shown_jobs?: string[];
};

/** The token is only in the answer. It is neither stored nor logged. */
export async function insertLink(
  trx: Trx,
  caller: Caller,
  link: NewLink,
  lead: string,
): Promise<{ id: string; token: string }> {
  const { account_id, job_id, name, can_comment, shown_jobs, expires_in_days = 14 } = link;
  const { plaintext: token, prefix, digest } = mintKey(lead);
  const row = await trx
    .insertInto('review_links')
    .values({
      account_id,
      id: newId(),
      job_id,
      name,
      can_comment,
      ...(shown_jobs ? { shown_jobs } : {}),
      created_by_user: caller.method === 'session' ? caller.userId : null,
      created_by_key: caller.method === 'api_key' ? caller.keyId : null,
      prefix,
      secret_sha256: digest,
      expires_at: sql<Date>`now() + make_interval(days => ${expires_in_days})`,
    })
    .onConflict((conflict) => conflict.column('prefix').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!row) return insertLink(trx, caller, link, lead); // one prefix in 10^12 is taken: draw again
  return { id: row.id, token };
}
