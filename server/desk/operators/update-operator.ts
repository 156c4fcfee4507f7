import type { AnswerOf, Body } from '../../../contract/endpoint.ts';
import { may, type OperatorRole } from '../../../contract/desk/operator-roles.ts';
import type { updateOperator as endpoint } from '../../../contract/desk/operators.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { type Catalog, refuseUnknownFamilies } from '../../catalog/catalog.ts';
import { withIdempotencyKey } from '../../db/idempotency.ts';
import type { Db, Trx } from '../../db/pool.ts';
import type { Operator, Request } from '../../http/request.ts';
import { endViewsOf } from './account-view.ts';
import { endInvitations, revokeWorkerKeys } from './end-at-desk.ts';
import { findOperator, lockNamedOperator, namedOperator, saveOperator, showOperator } from './operator.ts';
import { lockWithOwners, refuseLastOwner } from './ownership.ts';
import { readId } from '../../lib/id.ts';
import { endImportedInvitations } from '../../members/imported-person.ts';

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
    if (may(before.role, 'manage_studio') && !may(now.role, 'manage_studio'))
      await endInvitations(trx, before.id, cause);
    if (!may(now.role, 'note_accounts')) {
      await endViewsOf(trx, before.id);
      await endImportedInvitations(trx, { inviterId: before.id }, cause);
    }
    await appendAudit(trx, cause, {
      action: 'operator.updated',
      subject: params.id,
      accountId: null,
      details: detailsOf(before.role, now),
    });
    return { status: 200, body: { operator: showOperator(now, caller) }, accountId: null };
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

type Changed = Required<Body<typeof endpoint>>;

const detailsOf = (before: OperatorRole, { role, service_families, held_limit }: Changed) => ({
  role,
  ...(role === before ? {} : { previous_role: before }),
  service_families: service_families?.join(', ') ?? null,
  held_limit,
});
