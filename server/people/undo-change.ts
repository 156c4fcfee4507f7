import { sql } from 'kysely';
import type { undoChange as endpoint } from '../../contract/people/sessions.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showId } from '../lib/id.ts';
import { endMadeSince } from './end-made-since.ts';
import { findMailToken, unknownToken } from '../mail/mail-token.ts';
import { endMailTokens, queueMail } from '../mail/outbox.ts';
import { isTaken, removePassword } from '../sign-in/person.ts';

/** Ends everything made since the change, and the stolen password. A mail lets the owner set a new one. */
export async function undoChange(
  { db }: { db: Db },
  { body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const token = await findMailToken(db, body.token, ['undo_change']);
  if (!token || (await isTaken(db, token.email, token.user_id))) throw unknownToken();
  const { user_id: userId, email } = token;
  await transact(db, async (trx) => {
    await trx.selectFrom('people').select('id').where('id', '=', userId).forUpdate().execute();
    const since = await useUndo(trx, token);
    await endMailTokens(trx, userId, ['verify_email', 'reset_password', 'change_email']);
    await trx.updateTable('people').set({ email, email_verified: true }).where('id', '=', userId).execute();
    await removePassword(trx, userId);
    await endMadeSince(trx, userId, since, cause);
    const subject = showId('user', userId);
    await appendAudit(trx, { ...cause, userId }, { action: 'user.change_undone', subject, accountId: null });
    await queueMail(trx, { kind: 'choose_password', address: email });
  });
  return { status: 200, body: { done: true } };
}

/** Undoes the earliest change of this address. Earlier undos stay, so a thief cannot use them up. */
async function useUndo(trx: Trx, { digest, user_id, email }: { digest: Buffer; user_id: string; email: string }) {
  const { rows } = await sql<{ since: Date }>`
    delete from mail_tokens where user_id = ${user_id} and purpose = 'undo_change'
      and exists (select from mail_tokens where digest = ${digest})
      and since >= (
        select min(since) from mail_tokens
        where user_id = ${user_id} and purpose = 'undo_change' and email = ${email} and expires_at > now())
    returning since`.execute(trx);
  const [first] = rows.map(({ since }) => since).toSorted((left, other) => left.getTime() - other.getTime());
  if (!first) throw unknownToken();
  return first;
}
