import type { AnswerOf } from '../../contract/endpoint.ts';
import type { endSecondFactor as endpoint } from '../../contract/second-factor.ts';
import type { Db } from '../db/pool.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import type { Auth } from './auth.ts';
import { secondFactorEmail } from './emails.ts';
import type { Outbox } from './outbox.ts';
import { proveIdentity } from './prove-identity.ts';
import { removeSecondFactor } from './second-factor.ts';

type Parts = { auth: Auth; db: Db; outbox: Outbox; publicUrl: string; rates: RateLimiter<'prove_identity'> };

export async function endSecondFactor(
  parts: Parts,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body } = request;
  if (!caller.secondFactor)
    throw new Refusal('invalid_request', { message: 'You have no second factor.', action: 'There is nothing to do.' });
  await proveIdentity(parts, request, { location: '/password', password: body.password, code: body.code });
  await parts.db.transaction().execute((trx) => removeSecondFactor(trx, caller.userId, request.cause));
  parts.outbox.sendNotice(secondFactorEmail(parts.publicUrl, caller.email, 'off'));
  return { status: 200, body: { done: true } };
}
