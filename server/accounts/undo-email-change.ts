import type { AnswerOf } from '../../contract/endpoint.ts';
import { showId } from '../lib/id.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { undoEmailChange as endpoint } from '../../contract/sessions.ts';
import type { Db } from '../db/pool.ts';
import type { Request } from '../http/request.ts';
import { isTaken } from './person.ts';
import { endMailTokens, findMailToken, unknownToken, useMailToken } from './mail-token.ts';

/** Whoever changed it may know the password, so no session stays, and no mail of theirs works any more. */
export async function undoEmailChange(
  { db }: { db: Db },
  { body, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const token = await findMailToken(db, body.token, ['undo_email_change']);
  if (!token) throw unknownToken();
  const { user_id: userId, email } = token;
  if (await isTaken(db, email, userId)) throw unknownToken();
  await db.transaction().execute(async (trx) => {
    await useMailToken(trx, token.digest);
    await endMailTokens(trx, userId, ['verify_email', 'reset_password', 'change_email', 'undo_email_change']);
    await trx.updateTable('auth.user').set({ email, email_verified: true }).where('id', '=', userId).execute();
    await trx.deleteFrom('auth.session').where('user_id', '=', userId).execute();
    const subject = showId('user', userId);
    await appendAudit(trx, { ...cause, userId }, { action: 'user.email_change_undone', subject, accountId: null });
  });
  return { status: 200, body: { done: true } };
}
