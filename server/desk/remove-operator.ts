import type { FastifyBaseLogger } from 'fastify';
import { normalEmail } from '../sign-in/person.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Db, Trx } from '../db/pool.ts';
import { transact } from '../db/transact.ts';
import { byService } from '../http/cause.ts';
import { Refusal } from '../http/refusal.ts';
import { showId } from '../lib/id.ts';
import { endAtDesk, type EndedAtDesk } from './end-at-desk.ts';
import { lockWithOwners, refuseLastOwner } from './ownership.ts';

/** The person stays; sessions end, worker keys are revoked, and held jobs are released. */
export async function removeOperator(
  { db, log }: { db: Db; log: FastifyBaseLogger },
  email: string,
): Promise<EndedAtDesk> {
  const cause = byService();
  const { operator, ended } = await transact(db, async (trx) => {
    const id = await findByEmail(trx, email);
    const operators = await lockWithOwners(trx, [id]);
    if (id === null || !operators.some((locked) => locked.id === id)) throw noOperator(email);
    refuseLastOwner(operators, id, null);
    await trx.updateTable('auth.user').set({ operator_role: null }).where('id', '=', id).execute();
    await trx.deleteFrom('auth.session').where('user_id', '=', id).execute();
    const subject = showId('user', id);
    await appendAudit(trx, cause, { action: 'operator.removed', subject, accountId: null });
    return { operator: subject, ended: await endAtDesk(trx, id, cause) };
  });
  log.info({ operator, ...ended }, 'removed an operator');
  return ended;
}

async function findByEmail(trx: Trx, email: string): Promise<string | null> {
  const person = await trx
    .selectFrom('auth.user')
    .select('id')
    .where('email', '=', normalEmail(email))
    .executeTakeFirst();
  return person?.id ?? null;
}

const noOperator = (email: string) =>
  new Refusal('operator_not_found', {
    message: `There is no operator with the address ${email}.`,
    action: 'npm run admin -- operator list shows all operators.',
  });
