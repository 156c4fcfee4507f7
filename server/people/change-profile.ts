import type { changeProfile as endpoint } from '../../contract/people/sessions.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { showId } from '../lib/id.ts';
import type { Db } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { showUser } from '../sign-in/person.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';

export async function changeProfile(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  const { userId } = caller;
  const { name = caller.name } = body;
  const about = { subject: showId('user', userId), accountId: null };
  return withIdempotencyKey(db, request, async (trx) => {
    if (body.name !== undefined) {
      await trx.updateTable('people').set({ name, name_needed: false }).where('id', '=', userId).execute();
      await appendAudit(trx, cause, { action: 'user.renamed', ...about });
    }
    return { status: 200, body: { user: showUser({ ...caller, id: userId, name }) }, accountId: null };
  });
}
