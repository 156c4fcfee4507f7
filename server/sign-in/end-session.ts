import type { endSession as endpoint } from '../../contract/people/sessions.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { type Db, transact } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { readId } from '../lib/id.ts';
import type { Auth } from './auth.ts';
import { sessionsOf, showSession } from './listed-session.ts';

export async function endSession(
  { auth, db }: { auth: Auth; db: Db },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const id = readId('sess', params.id);
  const row = id && (await sessionsOf(db, caller).where('id', '=', id).executeTakeFirst());
  if (!row) throw new Refusal('session_not_found');
  await transact(db, async (trx) => {
    await trx.deleteFrom('sessions').where('id', '=', row.id).where('user_id', '=', caller.userId).execute();
    await appendAudit(trx, cause, { action: 'session.ended', subject: params.id, accountId: null });
  });
  const session = showSession(row, caller);
  return { status: 200, body: { session }, ...(session.current ? { headers: { 'set-cookie': auth.endCookie } } : {}) };
}
