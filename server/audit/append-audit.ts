import { sql } from 'kysely';
import type { AuditAction } from '../../contract/desk/audit-actions.ts';
import type { Trx } from '../db/pool.ts';
import type { Cause } from '../http/request.ts';
import { newId } from '../lib/id.ts';

/** The payment provider makes changes, too. Its signature is its credential. */
export type AuditCause = Omit<Cause, 'actor'> & { actor: Cause['actor'] | 'provider' };

type Entry = {
  action: AuditAction;
  subject: string;
  accountId: string | null;
  /** No customer text and no secret. */
  details?: Record<string, string | number | boolean | null>;
};

/** A statement has at most 65,535 parameters. */
const rowsOfStatement = 1000;

/** In the transaction of the change. Jobs, plans and keys have events, which the audit reads. */
export async function appendAudit(trx: Trx, cause: AuditCause, ...entries: Entry[]): Promise<void> {
  if (entries.length === 0) return;
  const isOwn = (entry: Entry) => entry.accountId === null && cause.actor === 'customer';
  const own = entries.some(isOwn) ? await ownActor(trx, cause) : cause.actor;
  const rows = entries.map((entry) => ({
    id: newId(),
    account_id: entry.accountId,
    action: entry.action,
    actor: isOwn(entry) ? own : cause.actor,
    subject: entry.subject,
    details: entry.details ? JSON.stringify(entry.details) : null,
    user_id: cause.userId,
    api_key_id: cause.apiKeyId,
    worker_key_id: cause.workerKeyId,
    address_hash: cause.addressHash,
    request_id: cause.requestId,
  }));
  for (let at = 0; at < rows.length; at += rowsOfStatement)
    await trx
      .insertInto('audit_log')
      .values(rows.slice(at, at + rowsOfStatement))
      .execute();
}

/** At most once per quarter of an hour, subject, credential and address, so nobody can flood the log. */
export async function appendAuditOnce(trx: Trx, cause: Cause, entry: Entry): Promise<void> {
  const { rows } = await sql`
    select from audit_log
    where action = ${entry.action} and subject = ${entry.subject} and created_at > now() - interval '15 minutes'
      and (user_id, worker_key_id, address_hash)
        is not distinct from (${cause.userId}::uuid, ${cause.workerKeyId}::uuid, ${cause.addressHash}::text)
    limit 1`.execute(trx);
  if (rows.length === 0) await appendAudit(trx, cause, entry);
}

/** An operator who changes what is their own, such as a session or password, is recorded as studio staff. */
async function ownActor(trx: Trx, { userId }: AuditCause): Promise<'customer' | 'operator'> {
  const { rows } = await sql`select from people where id = ${userId} and operator`.execute(trx);
  return rows.length === 0 ? 'customer' : 'operator';
}
