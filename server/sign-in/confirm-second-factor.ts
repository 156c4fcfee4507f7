import { sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { showId } from '../lib/id.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { confirmSecondFactor as endpoint } from '../../contract/second-factor.ts';
import type { Db } from '../db/pool.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Request } from '../http/request.ts';
import { badBody } from '../http/refusal.ts';
import { type Auth, askLibrary } from './auth.ts';
import { transact } from '../db/transact.ts';
import { allowUndo } from '../mail/mail-token.ts';
import { queueMail } from '../mail/outbox.ts';
import { useCode } from './open-session.ts';
import { showUser } from './person.ts';
import { alreadyOn, noteConfirmation, notStarted, signInAgain } from './second-factor.ts';

type Dependencies = { auth: Auth; db: Db; rates: RateLimiter<'prove_identity'> };

/** The library replaces this session by a new one. All others end, because they needed only the password. */
export async function confirmSecondFactor(
  { auth, db, rates }: Dependencies,
  { caller, body: { code }, headers, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { userId, accountId, email: address } = caller;
  await rates.spend('prove_identity', { person: userId });
  if (caller.secondFactor) throw alreadyOn();
  const input = {
    body: { code },
    headers: auth.sessionHeaders(headers, caller.byCookie),
    returnHeaders: true as const,
  };
  const { headers: sessionHeaders } = await askLibrary(auth.api.verifyTOTP(input), {
    INVALID_CODE: badBody([{ location: '/code', message: 'is wrong or has expired' }]),
    TOTP_NOT_ENABLED: notStarted(),
    INVALID_TWO_FACTOR_COOKIE: signInAgain(),
  });
  const token = sessionHeaders.get('set-auth-token') ?? '';
  const row = auth.openToken(token) ?? '';
  await useCode(db, userId, code);
  await transact(db, async (trx) => {
    await noteConfirmation(trx, userId);
    const opened = { account_id: accountId, last_used_at: sql<Date>`now()` };
    await trx.updateTable('auth.session').set(opened).where('token', '=', row).execute();
    await trx.deleteFrom('auth.session').where('user_id', '=', userId).where('token', '!=', row).execute();
    const subject = showId('user', userId);
    await appendAudit(trx, cause, { action: 'user.second_factor_added', subject, accountId: null });
    await allowUndo(trx, userId, address);
    await queueMail(trx, { kind: 'second_factor_added', userId, address });
  });
  return {
    status: 200,
    body: { token, user: showUser({ ...caller, id: userId }) },
    headers: { 'set-auth-token': token, 'set-cookie': sessionHeaders.getSetCookie() },
  };
}
