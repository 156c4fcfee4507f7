import { DatabaseError } from 'pg';
import { showId } from '../lib/id.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { confirmEmailChange as endpoint } from '../../contract/people/sessions.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { badBody } from '../http/refusal.ts';
import { allowUndo, findMailToken, unknownToken, useMailToken } from '../mail/mail-token.ts';
import { endMailTokens, queueMail } from '../mail/outbox.ts';
import { isTaken, showUser } from '../sign-in/person.ts';

/** A verified old address gets a mail and stays reserved for a day, during which it can undo the change. */
export async function confirmEmailChange(
  { db }: { db: Db },
  { caller, body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { userId } = caller;
  const token = await findMailToken(db, body.token, ['change_email']);
  if (!token || token.session_id !== caller.sessionId) throw unknownToken();
  const { email, current_email: old, email_verified: proved } = token;
  await transact(db, async (trx) => {
    await useMailToken(trx, token.digest);
    await endMailTokens(trx, userId, ['verify_email', 'reset_password', 'change_email']);
    await setEmail(trx, userId, email);
    const subject = showId('user', userId);
    await appendAudit(trx, cause, { action: 'user.email_changed', subject, accountId: null });
    if (proved) {
      await allowUndo(trx, userId, old);
      await queueMail(trx, { kind: 'address_changed', userId, address: old });
    }
  });
  return { status: 200, body: { user: showUser({ ...caller, id: userId, email, emailVerified: true }) } };
}

async function setEmail(trx: Trx, userId: string, email: string): Promise<void> {
  if (await isTaken(trx, email, userId)) throw addressTaken();
  const change = trx.updateTable('people').set({ email, email_verified: true }).where('id', '=', userId);
  await change.execute().catch((error: unknown) => {
    // Somebody has signed up with the address since the mail was sent.
    throw error instanceof DatabaseError && error.code === '23505' ? addressTaken() : error;
  });
}

const addressTaken = () => badBody([{ location: '/token', message: 'is for an address that somebody else now uses' }]);
