import type { FastifyBaseLogger } from 'fastify';
import { normalEmail } from '../../sign-in/person.ts';
import { type Db, transact, type Trx } from '../../db/pool.ts';
import { byService } from '../../http/request.ts';
import { Refusal } from '../../http/refusal.ts';
import { showId } from '../../lib/id.ts';
import type { EndedAtDesk } from './end-at-desk.ts';
import { endOperator } from './end-operator.ts';
import { lockWithOwners, refuseLastOwner } from './ownership.ts';

/** For the command line. */
export async function removeOperatorByEmail(
  { db, log }: { db: Db; log: FastifyBaseLogger },
  email: string,
): Promise<EndedAtDesk> {
  const { operator, ended } = await transact(db, async (trx) => {
    const id = await findByEmail(trx, email);
    const operators = await lockWithOwners(trx, [id]);
    if (id === null || !operators.some((locked) => locked.id === id)) throw noOperator(email);
    refuseLastOwner(operators, id, null);
    return { operator: showId('user', id), ended: await endOperator(trx, id, byService()) };
  });
  log.info({ operator, ...ended }, 'removed an operator');
  return ended;
}

async function findByEmail(trx: Trx, email: string): Promise<string | null> {
  const person = await trx.selectFrom('people').select('id').where('email', '=', normalEmail(email)).executeTakeFirst();
  return person?.id ?? null;
}

const noOperator = (email: string) =>
  new Refusal('operator_not_found', {
    message: `There is no operator with the address ${email}.`,
    action: 'npm run admin -- operator list shows all operators.',
  });
