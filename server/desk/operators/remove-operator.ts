import type { FastifyBaseLogger } from 'fastify';
import type { removeOperator as endpoint } from '../../../contract/desk/operators.ts';
import { type Db, transact } from '../../db/pool.ts';
import type { AnswerOf, Request } from '../../http/request.ts';
import { readId } from '../../lib/id.ts';
import { endOperator } from './end-operator.ts';
import { findOperator, namedOperator, showOperator } from './operator.ts';
import { lockWithOwners, refuseLastOwner } from './ownership.ts';

export async function removeOperator(
  { db, log }: { db: Db; log: FastifyBaseLogger },
  { caller, params, cause }: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { operator, ended } = await transact(db, async (trx) => {
    const operators = await lockWithOwners(trx, [caller.userId, readId('user', params.id)]);
    const id = namedOperator(operators, caller, params.id);
    refuseLastOwner(operators, id, null);
    const operator = await findOperator(trx, id);
    if (!operator) throw new Error('An operator vanished inside a transaction.');
    return { operator, ended: await endOperator(trx, id, cause) };
  });
  log.info({ operator: params.id, ...ended }, 'removed an operator');
  return {
    status: 200,
    body: {
      operator: showOperator(operator, caller),
      worker_keys: ended.worker_keys.length,
      jobs: ended.jobs.length,
      operator_invitations: ended.operator_invitations.length,
    },
  };
}
