import { sql } from 'kysely';
import type { AnswerOf, Body } from '../../contract/endpoint.ts';
import { may, type OperatorRole } from '../../contract/operator-roles.ts';
import type { updateOperator as endpoint } from '../../contract/operators.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { refuseUnknownFamilies } from '../catalog/refuse-unknown-family.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { Operator } from '../http/caller.ts';
import type { Request } from '../http/request.ts';
import { lockNamedOperator, namedOperator } from './desk-move.ts';
import { revokeWorkerKeys } from './end-at-desk.ts';
import { findOperator, showOperator } from './operator.ts';
import { lockWithOwners, refuseLastOwner } from './ownership.ts';
import { readId } from '../lib/id.ts';

/** Sets the role of an operator and what their claims give. Jobs that they hold stay with them. */
export async function updateOperator(
  { db, catalog }: { db: Db; catalog: Catalog },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  refuseUnknownFamilies(catalog, body.service_families ?? []);
  return withIdempotencyKey(db, request, async (trx) => {
    const before = await lockForChange(trx, caller, params.id, body.role);
    const now = { ...before, ...body };
    await saveOperator(trx, now);
    if (may(before.role, 'manage_records') && !may(now.role, 'manage_records'))
      await revokeWorkerKeys(trx, before.id, cause);
    await appendAudit(trx, cause, {
      action: 'operator.updated',
      subject: params.id,
      accountId: null,
      details: detailsOf(before.role, now),
    });
    return { status: 200, body: { operator: showOperator(now) }, accountId: null };
  });
}

async function lockForChange(trx: Trx, caller: Operator, id: string, role: OperatorRole | undefined) {
  const named = role
    ? await lockForRole(trx, caller, id, role)
    : await lockNamedOperator(trx, caller, id, 'no key update');
  const operator = await findOperator(trx, named);
  if (!operator) throw new Error('An operator vanished inside a transaction.');
  return operator;
}

async function lockForRole(trx: Trx, caller: Operator, id: string, role: OperatorRole): Promise<string> {
  const operators = await lockWithOwners(trx, [caller.userId, readId('user', id)]);
  const named = namedOperator(operators, caller, id);
  refuseLastOwner(operators, named, role);
  return named;
}

type Changed = Required<Body<typeof endpoint>> & { id: string };

async function saveOperator(trx: Trx, { id, role, service_families, held_limit }: Changed): Promise<void> {
  await sql`
    insert into operator_settings (user_id, service_families, held_limit)
    values (${id}, ${service_families}, ${held_limit})
    on conflict (user_id) do update set service_families = excluded.service_families,
      held_limit = excluded.held_limit`.execute(trx);
  await trx.updateTable('auth.user').set({ operator_role: role }).where('id', '=', id).execute();
}

const detailsOf = (before: OperatorRole, { role, service_families, held_limit }: Changed) => ({
  role,
  ...(role === before ? {} : { previous_role: before }),
  service_families: service_families?.join(', ') ?? null,
  held_limit,
});
