import { type Selectable, sql } from 'kysely';
import type { AnswerOf } from '../../contract/endpoint.ts';
import type { createWorkerKey as endpoint } from '../../contract/desk/workers.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Operator, Request } from '../http/request.ts';
import { type Catalog, refuseUnknownFamilies } from '../catalog/catalog.ts';
import { mintKey } from './key-finder.ts';
import { readExpiry, storeNow } from './new-key.ts';
import { showWorkerKey, workerKeyEnd, workerKeyLead, workerKeys } from './worker-key.ts';
import { newId, showId } from '../lib/id.ts';
import { Refusal } from '../http/refusal.ts';
import type { Db, Trx } from '../db/pool.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';
import type { WorkerKeys } from '../tables.ts';

/** The plaintext is only in the answer. It is neither stored nor logged. */
export async function createWorkerKey(
  { db, catalog }: { db: Db; catalog: Catalog },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, body, cause } = request;
  const { name, service_families = null, expires_at = null } = body;
  return withIdempotencyKey(db, request, async (trx) => {
    refuseUnknownFamilies(catalog, service_families ?? []);
    const expires = await readExpiry(trx, expires_at);
    await lockOperator(trx, caller);
    await refuseBeyondLimit(trx, caller.userId);
    const { id, plaintext } = await insertWorkerKey(trx, {
      created_by: caller.userId,
      name,
      service_families,
      expires_at: expires,
    });
    const subject = showId('wkey', id);
    const details = { expires_at: expires?.toISOString() ?? null };
    await appendAudit(trx, cause, { action: 'worker_key.created', subject, accountId: null, details });
    const row = await workerKeys(trx).where('k.id', '=', id).executeTakeFirstOrThrow();
    return {
      status: 201,
      body: { worker_key: showWorkerKey(row), plaintext_key: plaintext, next_action: storeNow },
      repeat: { plaintext_key: null, next_action: replaceIfLost(subject) },
      accountId: null,
    };
  });
}

const replaceIfLost = (id: string) =>
  `The key was shown once. If it is lost, revoke it with DELETE /api/operator/v1/worker-keys/${id} and create another.`;

type NewWorkerKey = Pick<Selectable<WorkerKeys>, 'created_by' | 'name' | 'service_families' | 'expires_at'>;

async function insertWorkerKey(trx: Trx, key: NewWorkerKey): Promise<{ id: string; plaintext: string }> {
  const { plaintext, prefix, digest } = mintKey(workerKeyLead);
  const row = await trx
    .insertInto('worker_keys')
    .values({ ...key, id: newId(), prefix, secret_sha256: digest })
    .onConflict((conflict) => conflict.column('prefix').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!row) return insertWorkerKey(trx, key); // one prefix in 10^12 is taken: draw again
  return { id: row.id, plaintext };
}

/** Active keys of an operator. */
const mostActive = 100;

/**
 * Locks the operator, so that an operator who is being removed or demoted leaves no key behind, and keys
 * made at the same time are counted.
 */
async function lockOperator(trx: Trx, { userId, operatorRole }: Operator): Promise<void> {
  const operator = await trx
    .selectFrom('people')
    .select('id')
    .where('id', '=', userId)
    .where('operator_role', '=', operatorRole)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!operator) throw new Refusal('role_required');
}

async function refuseBeyondLimit(trx: Trx, userId: string): Promise<void> {
  const active = await workerKeys(trx)
    .where('k.created_by', '=', userId)
    .where(sql<boolean>`${workerKeyEnd} is null`)
    .execute();
  if (active.length < mostActive) return;
  throw new Refusal('limit_reached', {
    message: `You have ${active.length} active worker keys; you may have ${mostActive}.`,
    action: 'Revoke one that is no longer used; GET /api/operator/v1/worker-keys shows when each was last used.',
  });
}
