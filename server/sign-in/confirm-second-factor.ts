import { sql } from 'kysely';
import { showId } from '../lib/id.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { confirmSecondFactor as endpoint } from '../../contract/people/second-factor.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { badBody } from '../http/refusal.ts';
import { type Auth, askLibrary } from './auth.ts';
import { allowUndo } from '../mail/mail-token.ts';
import { queueMail } from '../mail/outbox.ts';
import { useCode } from './open-session.ts';
import { showUser } from './person.ts';
import { alreadyOn, noteConfirmation, notStarted, signInAgain } from './second-factor.ts';

type Dependencies = { auth: Auth; db: Db; rates: RateLimiter<'prove_identity'> };
type Confirmation = Request<typeof endpoint>;

/** The library writes in our transaction: a lost database leaves no half of a second factor. */
export async function confirmSecondFactor(
  { auth, db, rates }: Dependencies,
  request: Confirmation,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  const { userId, email: address } = caller;
  await rates.spend('prove_identity', { person: userId });
  if (caller.secondFactor) throw alreadyOn();
  const session = await transact(db, async (trx) => {
    await lockPerson(trx, userId);
    const session = await switchOn(auth, trx, request);
    await useCode(trx, userId, body.code);
    await noteConfirmation(trx, userId);
    await keepOnly(trx, caller, auth.openToken(session.token) ?? '');
    const subject = showId('user', userId);
    await appendAudit(trx, cause, { action: 'user.second_factor_added', subject, accountId: null });
    await allowUndo(trx, userId, address);
    await queueMail(trx, { kind: 'second_factor_added', userId, address });
    return session;
  });
  return {
    status: 200,
    body: { token: session.token, user: showUser({ ...caller, id: userId }) },
    headers: { 'set-auth-token': session.token, 'set-cookie': session.cookies },
  };
}

/** Two confirmations at the same time would each end the session of the other. */
const lockPerson = (trx: Trx, userId: string) =>
  trx.selectFrom('people').select('id').where('id', '=', userId).forNoKeyUpdate().execute();

/** The library replaces this session by a new one. */
async function switchOn(auth: Auth, trx: Trx, { caller, body: { code }, headers }: Confirmation) {
  const input = {
    body: { code },
    headers: auth.sessionHeaders(headers, caller.byCookie),
    returnHeaders: true as const,
  };
  const { headers: sessionHeaders } = await askLibrary((await auth.apiIn(trx)).verifyTOTP(input), {
    INVALID_CODE: badBody([{ location: '/code', message: 'is wrong or has expired' }]),
    TOTP_NOT_ENABLED: notStarted(),
    INVALID_TWO_FACTOR_COOKIE: signInAgain(),
  });
  return { token: sessionHeaders.get('set-auth-token') ?? '', cookies: sessionHeaders.getSetCookie() };
}

/** The other sessions end, because they needed only the password. */
async function keepOnly(trx: Trx, { accountId, userId }: Confirmation['caller'], token: string): Promise<void> {
  const opened = { account_id: accountId, last_used_at: sql<Date>`now()` };
  await trx.updateTable('sessions').set(opened).where('token', '=', token).execute();
  await trx.deleteFrom('sessions').where('user_id', '=', userId).where('token', '!=', token).execute();
}
