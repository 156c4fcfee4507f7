import type { endSecondFactor as endpoint } from '../../contract/people/second-factor.ts';
import { type Db, transact } from '../db/pool.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import type { Auth } from './auth.ts';
import { queueMail } from '../mail/outbox.ts';
import { proveIdentity } from './prove-identity.ts';
import { removeSecondFactor } from './second-factor.ts';

type Dependencies = { auth: Auth; db: Db; rates: RateLimiter<'prove_identity'> };

export async function endSecondFactor(
  dependencies: Dependencies,
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body } = request;
  if (!caller.secondFactor)
    throw new Refusal('invalid_request', {
      message: 'You have no second factor.',
      action: 'There is nothing to do.',
    });
  await proveIdentity(dependencies, request, { location: '/password', password: body.password, code: body.code });
  const { userId, email: address } = caller;
  await transact(dependencies.db, async (trx) => {
    await removeSecondFactor(trx, userId, request.cause);
    await queueMail(trx, { kind: 'second_factor_removed', userId, address, data: { by: 'person' } });
  });
  return { status: 200, body: { done: true } };
}
