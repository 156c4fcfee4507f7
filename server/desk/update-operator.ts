import { sql } from 'kysely';
import type { updateOperator as endpoint } from '../../contract/desk-accounts.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { refuseUnknownFamilies } from '../catalog/refuse-unknown-family.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { Operator } from '../http/caller.ts';
import type { Request } from '../http/request.ts';
import { lockNamedOperator } from './desk-move.ts';
import { findOperator, showOperator } from './operator.ts';

/** Sets what claims of an operator give. Jobs that they hold stay with them. */
export async function updateOperator(
  { db, catalog }: { db: Db; catalog: Catalog },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, params, body, cause } = request;
  refuseUnknownFamilies(catalog, body.service_families ?? []);
  return withIdempotencyKey(db, request, async (trx) => {
    const before = await lockForChange(trx, caller, params.id);
    const { service_families = before.service_families, held_limit = before.held_limit } = body;
    await sql`
      insert into operator_settings (user_id, service_families, held_limit)
      values (${before.id}, ${service_families}, ${held_limit})
      on conflict (user_id) do update set service_families = excluded.service_families,
        held_limit = excluded.held_limit`.execute(trx);
    const details = { service_families: service_families?.join(', ') ?? null, held_limit };
    await appendAudit(trx, cause, { action: 'operator.updated', subject: params.id, accountId: null, details });
    return {
      status: 200,
      body: { operator: showOperator({ ...before, service_families, held_limit }) },
      accountId: null,
    };
  });
}

async function lockForChange(trx: Trx, caller: Operator, id: string) {
  const operator = await findOperator(trx, await lockNamedOperator(trx, caller, id, 'no key update'));
  if (!operator) throw new Error('An operator vanished inside a transaction.');
  return operator;
}
