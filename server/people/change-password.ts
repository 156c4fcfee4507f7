import { showId } from '../lib/id.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { changePassword as endpoint } from '../../contract/people/sessions.ts';
import { type Db, transact } from '../db/pool.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { badBody } from '../http/refusal.ts';
import type { Auth } from '../sign-in/auth.ts';
import { passwordFault } from '../sign-in/weak-password.ts';
import { allowUndo } from '../mail/mail-token.ts';
import { endMailTokens, queueMail } from '../mail/outbox.ts';
import { setPassword } from '../sign-in/person.ts';
import { proveIdentity } from '../sign-in/prove-identity.ts';

type Dependencies = { auth: Auth; db: Db; rates: RateLimiter<'prove_identity'> };

/** The password first: a concurrent sign-in with the old one waits for it and fails. */
export async function changePassword(
  dependencies: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { auth, db } = dependencies;
  const { caller, body } = request;
  const { userId, sessionId } = caller;
  const fault = passwordFault('/new_password', body.new_password, caller);
  if (fault) throw badBody([fault]);
  await proveIdentity(dependencies, request, {
    location: '/current_password',
    password: body.current_password,
    code: body.code,
  });
  const passwordHash = await auth.hashPassword(body.new_password);
  await transact(db, async (trx) => {
    await setPassword(trx, userId, passwordHash);
    await trx.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', sessionId).execute();
    await endMailTokens(trx, userId, ['reset_password', 'change_email']);
    const subject = showId('user', userId);
    await appendAudit(trx, request.cause, { action: 'user.password_changed', subject, accountId: null });
    await allowUndo(trx, userId, caller.email);
    await queueMail(trx, { kind: 'password_changed', userId, address: caller.email });
  });
  return { status: 200, body: { done: true } };
}
