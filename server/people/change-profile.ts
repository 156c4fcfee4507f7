import type { AnswerOf } from '../../contract/endpoint.ts';
import type { changeProfile as endpoint } from '../../contract/sessions.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { showId } from '../lib/id.ts';
import type { Db } from '../db/pool.ts';
import type { Request } from '../http/request.ts';
import { showUser } from '../sign-in/person.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';

export async function changeProfile(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const {
    caller,
    body: { name },
    cause,
  } = request;
  return withIdempotencyKey(db, request, async (trx) => {
    await trx.updateTable('auth.user').set({ name, name_needed: false }).where('id', '=', caller.userId).execute();
    const subject = showId('user', caller.userId);
    await appendAudit(trx, cause, { action: 'user.renamed', subject, accountId: null });
    return { status: 200, body: { user: showUser({ ...caller, id: caller.userId, name }) }, accountId: null };
  });
}
