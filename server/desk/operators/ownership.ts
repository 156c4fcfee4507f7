import { sql } from 'kysely';
import type { OperatorRole } from '../../../contract/desk/operator-roles.ts';
import type { Trx } from '../../db/pool.ts';
import { Refusal } from '../../http/refusal.ts';
import type { LockedOperator } from './operator.ts';

/** Locks the owners too, so that two of them cannot end each other's role at the same time. */
export async function lockWithOwners(trx: Trx, userIds: readonly (string | null)[]): Promise<LockedOperator[]> {
  const { rows } = await sql<LockedOperator>`
    select id, operator_role as role from people
    where operator and (operator_role = 'owner' or id = any(${userIds}::uuid[]))
    order by id for no key update`.execute(trx);
  return rows;
}

/** `role`: what the operator gets; null for a removal. */
export function refuseLastOwner(operators: readonly LockedOperator[], id: string, role: OperatorRole | null): void {
  if (role === 'owner') return;
  const owners = operators.filter((operator) => operator.role === 'owner');
  if (owners.length === 1 && owners[0]?.id === id) throw new Refusal('last_owner');
}
