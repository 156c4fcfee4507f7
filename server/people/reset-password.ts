import type { resetPassword as endpoint } from '../../contract/people/people.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { showId } from '../lib/id.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type Db, transact, type Trx } from '../db/pool.ts';
import { badBody } from '../http/refusal.ts';
import type { Signer } from '../lib/signer.ts';
import type { Auth } from '../sign-in/auth.ts';
import { passwordFault } from '../sign-in/weak-password.ts';
import { endAllOf } from '../members/end-authority.ts';
import { rememberNetwork } from '../sign-in/known-network.ts';
import { findMailToken, unknownToken, useMailToken } from '../mail/mail-token.ts';
import { endMailTokens } from '../mail/outbox.ts';
import { askForNames, setPassword } from '../sign-in/person.ts';
import { liftLock } from '../sign-in/second-factor.ts';

type Dependencies = { db: Db; auth: Auth; signer: Signer };

/** At the first verification, what was made before ends too: it may be somebody else's. */
export async function resetPassword(
  { db, auth, signer }: Dependencies,
  { body, ip, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const token = await findMailToken(db, body.token, ['reset_password']);
  if (!token || token.email !== token.current_email) throw unknownToken();
  const fault = passwordFault('/new_password', body.new_password, token);
  if (fault) throw badBody([fault]);
  const passwordHash = await auth.hashPassword(body.new_password);
  const { user_id: userId, email } = token;
  await transact(db, async (trx) => {
    await useMailToken(trx, token.digest);
    const person = await lockPerson(trx, userId);
    if (person.email !== email) throw unknownToken();
    await setPassword(trx, userId, passwordHash);
    await endMailTokens(trx, userId, ['verify_email', 'reset_password', 'change_email']);
    if (person.email_verified) await trx.deleteFrom('sessions').where('user_id', '=', userId).execute();
    else {
      await endAllOf(trx, userId, cause);
      await askForNames(trx, userId);
    }
    await liftLock(trx, userId);
    await trx.updateTable('people').set({ email_verified: true }).where('id', '=', userId).execute();
    const subject = showId('user', userId);
    await appendAudit(trx, { ...cause, userId }, { action: 'user.password_reset', subject, accountId: null });
  });
  await rememberNetwork(db, signer, email, ip);
  return { status: 200, body: { done: true } };
}

const lockPerson = (trx: Trx, userId: string) =>
  trx
    .selectFrom('people')
    .select(['email', 'email_verified'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirstOrThrow();
