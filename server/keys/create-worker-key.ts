import type { AnswerOf } from '../../contract/endpoint.ts';
import type { createWorkerKey as endpoint } from '../../contract/workers.ts';
import { appendAudit } from '../audit/append-audit.ts';
import type { Request } from '../http/request.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { mintKey } from './plaintext-key.ts';
import { readExpiry } from './new-key.ts';
import { showWorkerKey, workerKeyLead, workerKeys } from './worker-key.ts';
import { newId, showId } from '../lib/id.ts';
import { Refusal } from '../http/refusal.ts';
import type { Db, Trx } from '../db/pool.ts';
import { transact } from '../db/transact.ts';

/** The plaintext is only in the answer. It is neither stored nor logged. */
export async function createWorkerKey(
  context: { db: Db; catalog: Catalog },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { db, catalog } = context;
  const { name, service_families = null, expires_at = null } = request.body;
  const unknown = service_families?.findIndex((id) => !catalog.families.has(id)) ?? -1;
  if (unknown >= 0) throw unsupported(unknown, catalog);
  const expires = await readExpiry(db, expires_at);
  const { plaintext, prefix, digest } = mintKey(workerKeyLead);
  const row = await transact(db, async (trx) => {
    await lockOperator(trx, request.caller.userId);
    const made = await trx
      .insertInto('worker_keys')
      .values({
        id: newId(),
        created_by: request.caller.userId,
        name,
        prefix,
        secret_sha256: digest,
        service_families,
        expires_at: expires,
      })
      .onConflict((conflict) => conflict.column('prefix').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made) return null;
    const subject = showId('wkey', made.id);
    const details = { expires_at: expires?.toISOString() ?? null };
    await appendAudit(trx, request.cause, { action: 'worker_key.created', subject, accountId: null, details });
    return workerKeys(trx).where('k.id', '=', made.id).executeTakeFirstOrThrow();
  });
  if (!row) return createWorkerKey(context, request); // one prefix in 10^12 is taken: draw again
  return { status: 201, body: { worker_key: showWorkerKey(row), plaintext_key: plaintext } };
}

/** Locks the operator, so that an operator who is removed meanwhile leaves no key behind. */
async function lockOperator(trx: Trx, userId: string): Promise<void> {
  const operator = await trx
    .selectFrom('auth.user')
    .select('id')
    .where('id', '=', userId)
    .where('operator', '=', true)
    .forShare()
    .executeTakeFirst();
  if (!operator) throw new Refusal('role_required');
}

function unsupported(index: number, catalog: Catalog): Refusal {
  const message = `is not in the catalog. Known ids: ${[...catalog.families.keys()].join(', ')}.`;
  const location = `/service_families/${index}`;
  return new Refusal('unsupported_service', { message: `${location} ${message}`, details: [{ location, message }] });
}
