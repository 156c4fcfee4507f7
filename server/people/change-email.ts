import type { changeEmail as endpoint } from '../../contract/people/sessions.ts';
import type { Db } from '../db/pool.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { badBody } from '../http/refusal.ts';
import type { Auth } from '../sign-in/auth.ts';
import { queueMail } from '../mail/outbox.ts';
import { isTaken, normalEmail } from '../sign-in/person.ts';
import { proveIdentity } from '../sign-in/prove-identity.ts';

type Dependencies = { auth: Auth; db: Db; rates: RateLimiter<'prove_identity'> };

/** The address changes when the button in the mail is pressed in this session. */
export async function changeEmail(
  dependencies: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { db } = dependencies;
  const { caller, body } = request;
  const email = normalEmail(body.email);
  await proveIdentity(dependencies, request, { location: '/password', password: body.password, code: body.code });
  if (await isTaken(db, email)) throw badBody([{ location: '/email', message: 'is already in use' }]);
  const { userId, sessionId } = caller;
  await queueMail(db, { kind: 'change_email', userId, address: email, data: { session_id: sessionId } });
  return { status: 200, body: { done: true } };
}
