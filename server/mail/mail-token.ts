import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Trx } from '../db/pool.ts';
import { badBody, Refusal } from '../http/refusal.ts';

export type Purpose = 'verify_email' | 'reset_password' | 'change_email' | 'undo_change';

/** Hours for which a token is valid. */
const hours: Record<Purpose, number> = { verify_email: 1, reset_password: 1, change_email: 1, undo_change: 72 };

type NewToken = { purpose: Purpose; userId: string; email: string; sessionId?: string };

export const digestOf = (token: string) => createHash('sha256').update(token).digest();

/** The token is only in the mail: a copy of the database cannot verify addresses or reset passwords. */
export async function makeMailToken(db: Db | Trx, { purpose, userId, email, sessionId }: NewToken): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expires_at = sql<Date>`now() + make_interval(hours => ${hours[purpose]})`;
  const since = purpose === 'undo_change' ? sql<Date>`now()` : null;
  const row = {
    digest: digestOf(token),
    purpose,
    user_id: userId,
    session_id: sessionId ?? null,
    email,
    expires_at,
    since,
  };
  await db.insertInto('mail_tokens').values(row).execute();
  return token;
}

/** A new token replaces the earlier one. */
export async function makeInvitationToken(db: Db, id: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .updateTable('invitations')
    .set({ token_digest: digestOf(token) })
    .where('id', '=', id)
    .execute();
  return token;
}

/** A new token replaces the earlier one. */
export async function makeOperatorInvitationToken(db: Db, id: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db
    .updateTable('operator_invitations')
    .set({ token_digest: digestOf(token) })
    .where('id', '=', id)
    .execute();
  return token;
}

/** Reading a token does not use it up. */
export async function findMailToken(db: Db | Trx, token: string, purposes: readonly Purpose[]) {
  return db
    .selectFrom('mail_tokens as token')
    .innerJoin('people as user', 'user.id', 'token.user_id')
    .where('token.digest', '=', digestOf(token))
    .where('token.purpose', 'in', purposes)
    .where('token.expires_at', '>', sql<Date>`now()`)
    .select(['token.digest', 'token.purpose', 'token.user_id', 'token.session_id', 'token.email'])
    .select(['user.email as current_email', 'user.email_verified', 'user.name'])
    .executeTakeFirst();
}

/** Of concurrent uses only one succeeds. */
export async function useMailToken(trx: Trx, digest: Buffer): Promise<void> {
  const row = await trx.deleteFrom('mail_tokens').where('digest', '=', digest).returning('digest').executeTakeFirst();
  if (!row) throw unknownToken();
}

/** Lets the address undo changes from now on. This token is never mailed: each mail gets its own. */
export async function allowUndo(trx: Trx, userId: string, email: string): Promise<void> {
  await makeMailToken(trx, { purpose: 'undo_change', userId, email });
}

/** For the earliest change that can still be undone. Null if there is none. */
export async function repeatUndo(db: Db, userId: string, email: string): Promise<string | null> {
  const token = randomBytes(32).toString('base64url');
  const { rows } = await sql`
    insert into mail_tokens (digest, purpose, user_id, email, expires_at, since)
    select ${digestOf(token)}, purpose, user_id, email, expires_at, since from mail_tokens
    where user_id = ${userId} and email = ${email} and purpose = 'undo_change' and expires_at > now()
    order by since limit 1 returning since`.execute(db);
  return rows.length > 0 ? token : null;
}

/** The earliest change that can still be undone, and the latest end of an undo. Null if there is none. */
export async function openUndo(trx: Trx, userId: string): Promise<{ since: Date; until: Date } | null> {
  const { rows } = await sql<{ since: Date | null; until: Date | null }>`
    select min(since) as since, max(expires_at) as until from mail_tokens
    where user_id = ${userId} and purpose = 'undo_change' and expires_at > now()`.execute(trx);
  const { since, until } = rows[0] ?? {};
  return since && until ? { since, until } : null;
}

/** Otherwise a thief could delete the person before the owner reads the mail. */
export async function refuseWhileUndoable(trx: Trx, userId: string): Promise<void> {
  const undo = await openUndo(trx, userId);
  if (undo) throw undoable('Your', undo.until);
}

export const undoable = (whose: 'Your' | 'Their', until: Date): Refusal =>
  new Refusal('invalid_request', {
    message: `${whose} address, password or second factor was changed, which can be undone until ${until.toISOString()}.`,
    action: 'Try again after that time.',
  });

export const unknownToken = (): Refusal =>
  badBody([{ location: '/token', message: 'is not valid, was already used or has expired; ask for a new mail' }]);
