import type { verifyEmail as endpoint } from '../../contract/people/people.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { showId } from '../lib/id.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { type Db, transact } from '../db/pool.ts';
import type { Auth } from '../sign-in/auth.ts';
import { findMailToken, unknownToken } from '../mail/mail-token.ts';
import { recordRefusedProof } from '../sign-in/open-session.ts';
import { isPasswordOf } from '../sign-in/person.ts';

type Dependencies = { auth: Auth; db: Db; rates: RateLimiter<'guess_password'> };

/** The token alone is not enough, so an unrequested mail gives nobody access. Idempotent. */
export async function verifyEmail(
  dependencies: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { db } = dependencies;
  const { body, cause } = request;
  const token = await findMailToken(db, body.token, ['verify_email']);
  if (!token || token.email !== token.current_email) throw unknownToken();
  await proveIdentity(dependencies, request, token);
  const { user_id: userId, email } = token;
  await transact(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('people')
      .set({ email_verified: true })
      .where('id', '=', userId)
      .where('email', '=', email)
      .where('email_verified', '=', false)
      .executeTakeFirstOrThrow();
    const subject = showId('user', userId);
    if (numUpdatedRows === 1n)
      await appendAudit(trx, { ...cause, userId }, { action: 'user.email_verified', subject, accountId: null });
  });
  return { status: 200, body: { done: true } };
}

async function proveIdentity(
  { auth, db, rates }: Dependencies,
  { caller, body: { password }, cause }: Request<typeof endpoint>,
  { user_id: userId, email }: { user_id: string; email: string },
): Promise<void> {
  if (caller?.userId === userId) return;
  if (password !== undefined) {
    await rates.spend('guess_password', { person: email });
    if (await isPasswordOf(db, auth, userId, password)) return;
    await recordRefusedProof(db, cause, email, 'user.password_refused');
  }
  throw new Refusal('unauthenticated', {
    message: 'Verifying an address needs the session or the password of the person who signed up with it.',
    action:
      'Open the link in the browser where you signed up, or send the password. If you did not sign up, do nothing.',
  });
}
