import { sql } from 'kysely';
import { defaultHeldLimit } from '../../../contract/desk/operators.ts';
import type { OperatorRole } from '../../../contract/desk/operator-roles.ts';
import type { Position } from '../../db/cursor.ts';
import type { Db, Trx } from '../../db/pool.ts';
import type { Operator } from '../../http/request.ts';
import { Refusal } from '../../http/refusal.ts';
import { readId, showId } from '../../lib/id.ts';

type OperatorRow = {
  id: string;
  name: string;
  email: string;
  role: OperatorRole;
  created_at: Date;
  held_jobs: number;
  held_limit: number;
  service_families: string[] | null;
  second_factor: boolean;
};

const operators = sql`
  select u.id, u.name, u.email, u.operator_role as role, u.created_at, u.second_factor,
    s.service_families,
    coalesce(s.held_limit, ${defaultHeldLimit})::int as held_limit,
    (select count(*)::int from jobs j where j.operator_id = u.id and j.held_since is not null) as held_jobs
  from people u left join operator_settings s on s.user_id = u.id
  where u.operator`;

/** Oldest first. */
export async function readOperators(db: Db, from: Position | null, limit: number): Promise<OperatorRow[]> {
  const after = from === null ? sql`` : sql`and (u.created_at, u.id) > (${from.at}, ${from.id}::uuid)`;
  const { rows } = await sql<OperatorRow>`${operators} ${after} order by u.created_at, u.id limit ${limit}`.execute(db);
  return rows;
}

export type LockedOperator = { id: string; role: OperatorRole };

/** `no key update` also excludes other requests that lock the operator. */
export type OperatorLock = 'share' | 'no key update';

/**
 * Waits for a concurrent removal of these people and returns those who still are operators. Must run before a
 * job is locked, because a removal locks the operator first: a removed operator cannot end up holding a job.
 * In order of id, so that operators who name each other at the same time cannot deadlock.
 */
export async function lockOperators(
  trx: Trx,
  userIds: readonly (string | null)[],
  strength: OperatorLock = 'share',
): Promise<LockedOperator[]> {
  const { rows } = await sql<LockedOperator>`
    select id, operator_role as role from people where id = any(${userIds}::uuid[]) and operator
    order by id for ${sql.raw(strength)}`.execute(trx);
  return rows;
}

/** Locked until the transaction ends, so that two claims of an operator count each other's jobs. */
export async function lockClaimant(trx: Trx, userId: string): Promise<OperatorRow | undefined> {
  await lockOperators(trx, [userId], 'no key update');
  return findOperator(trx, userId);
}

export async function findOperator(trx: Trx, userId: string): Promise<OperatorRow | undefined> {
  const { rows } = await sql<OperatorRow>`${operators} and u.id = ${userId}`.execute(trx);
  return rows[0];
}

type SavedOperator = Pick<OperatorRow, 'id' | 'role' | 'service_families' | 'held_limit'>;

export async function saveOperator(trx: Trx, { id, role, service_families, held_limit }: SavedOperator): Promise<void> {
  await sql`
    insert into operator_settings (user_id, service_families, held_limit)
    values (${id}, ${service_families}, ${held_limit})
    on conflict (user_id) do update set service_families = excluded.service_families,
      held_limit = excluded.held_limit`.execute(trx);
  await trx.updateTable('people').set({ operator_role: role }).where('id', '=', id).execute();
}

/** Only owners of the studio read who has a second factor. */
export const showOperator = (
  { id, name, email, role, held_jobs, held_limit, service_families, second_factor }: OperatorRow,
  { operatorRole }: Pick<Operator, 'operatorRole'>,
) => ({
  id: showId('user', id),
  name,
  email,
  role,
  held_jobs,
  held_limit,
  service_families,
  ...(operatorRole === 'owner' ? { second_factor } : {}),
});

/** Refuses requests that were authenticated before the operator was removed or got another role. */
export async function refuseRemovedOperator(trx: Trx, caller: Operator, strength?: OperatorLock): Promise<void> {
  refuseEndedRole(await lockOperators(trx, [caller.userId], strength), caller);
}

function refuseEndedRole(operators: readonly LockedOperator[], { userId, operatorRole }: Operator): void {
  const now = operators.find(({ id }) => id === userId);
  if (!now) throw new Refusal('unauthenticated');
  if (now.role !== operatorRole) throw new Refusal('role_required', { message: 'Your role has just been changed.' });
}

/** Locks the caller and the operator that their request names, and returns whom it names. */
export async function lockNamedOperator(
  trx: Trx,
  caller: Operator,
  id: string,
  strength?: OperatorLock,
): Promise<string> {
  return namedOperator(await lockOperators(trx, [caller.userId, readId('user', id)], strength), caller, id);
}

/** Of locked operators, the one whom a request of the caller names. */
export function namedOperator(operators: readonly LockedOperator[], caller: Operator, id: string): string {
  refuseEndedRole(operators, caller);
  const named = readId('user', id);
  if (named === null || !operators.some((operator) => operator.id === named)) throw new Refusal('operator_not_found');
  return named;
}
