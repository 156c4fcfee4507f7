import type { FastifyBaseLogger } from 'fastify';
import { normalEmail } from '../sign-in/person.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Db } from '../db/pool.ts';
import { transact } from '../db/transact.ts';
import { byService } from '../http/cause.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import { endAtDesk, type EndedAtDesk } from './end-at-desk.ts';

/** The person stays; sessions end, worker keys are revoked, and held jobs are released. */
export async function removeOperator(
  { db, log }: { db: Db; log: FastifyBaseLogger },
  email: string,
): Promise<EndedAtDesk> {
  const cause = byService();
  const { operator, ended } = await transact(db, async (trx) => {
    const person = await trx
      .updateTable('auth.user')
      .set({ operator: false })
      .where('email', '=', normalEmail(email))
      .where('operator', '=', true)
      .returning('id')
      .executeTakeFirst();
    if (!person)
      throw new Refusal('operator_not_found', {
        message: `There is no operator with the address ${email}.`,
        action: 'npm run admin -- operator list shows all operators.',
      });
    await trx.deleteFrom('auth.session').where('user_id', '=', person.id).execute();
    const subject = showId('user', person.id);
    await appendAudit(trx, cause, { action: 'operator.removed', subject, accountId: null });
    return { operator: subject, ended: await endAtDesk(trx, person.id, cause) };
  });
  log.info({ operator, ...ended }, 'removed an operator');
  return ended;
}
