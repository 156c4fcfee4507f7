import type { FastifyBaseLogger } from 'fastify';
import { appendAudit } from '../audit/append-audit.ts';
import { byService } from '../http/cause.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import { normalEmail } from './person.ts';

/** The person stays; the desk is closed to them at once, and their sessions end. */
export async function removeOperator({ db, log }: { db: Db; log: FastifyBaseLogger }, email: string): Promise<void> {
  const person = await db.transaction().execute(async (trx) => {
    const found = await trx
      .updateTable('auth.user')
      .set({ operator: false })
      .where('email', '=', normalEmail(email))
      .where('operator', '=', true)
      .returning('id')
      .executeTakeFirst();
    if (!found) return null;
    await trx.deleteFrom('auth.session').where('user_id', '=', found.id).execute();
    const subject = showId('user', found.id);
    await appendAudit(trx, byService(), { action: 'operator.removed', subject, accountId: null });
    return found;
  });
  if (!person)
    throw new Refusal('not_found', {
      message: `There is no operator with the address ${email}.`,
      action: 'npm run admin -- operator list shows them.',
    });
  log.info({ operator: showId('user', person.id) }, 'an operator was removed');
}
