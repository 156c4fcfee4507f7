import type { signOut as endpoint } from '../../contract/people/people.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { showId } from '../lib/id.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { type Db, transact } from '../db/pool.ts';
import type { Auth } from './auth.ts';

/** Does not use the library, which answers success even if the database failed. */
export async function signOut(
  { db, auth }: { db: Db; auth: Auth },
  { caller, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  await transact(db, async (trx) => {
    await trx.deleteFrom('sessions').where('id', '=', caller.sessionId).execute();
    const subject = showId('user', caller.userId);
    await appendAudit(trx, cause, { action: 'session.ended', subject, accountId: null });
  });
  return { status: 200, body: { done: true }, headers: { 'set-cookie': auth.endCookie } };
}
