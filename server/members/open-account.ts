import { sql } from 'kysely';
import { appendAudit } from '../audit/append-audit.ts';
import type { openAccount as endpoint } from '../../contract/people/accounts.ts';
import type { Db, Trx } from '../db/pool.ts';
import type { AnswerOf, Request } from '../http/request.ts';
import { Refusal } from '../http/refusal.ts';
import { newId, showId } from '../lib/id.ts';
import { insertAccount } from '../sign-in/person.ts';
import { actFor, showAccount } from './account.ts';
import { withIdempotencyKey } from '../db/idempotency.ts';

const maxOwned = 20;

export async function openAccount(
  { db }: { db: Db },
  request: Request<typeof endpoint>,
): Promise<AnswerOf<typeof endpoint>> {
  const { caller, cause } = request;
  const { name } = request.body;
  const { userId } = caller;
  return withIdempotencyKey(db, request, async (trx) => {
    await refuseBeyondLimit(trx, userId);
    const id = newId();
    await insertAccount(trx, { id, name, ownerId: userId });
    await actFor(trx, caller, id);
    await appendAudit(trx, cause, { action: 'account.opened', subject: showId('acct', id), accountId: id });
    return { status: 201, body: { account: showAccount({ id, name, role: 'owner' }, id) }, accountId: id };
  });
}

/** The person is locked, so that accounts opened at the same time are counted. */
async function refuseBeyondLimit(trx: Trx, userId: string): Promise<void> {
  await trx.selectFrom('people').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const { owned } = await trx
    .selectFrom('members')
    .select(sql<number>`count(*)::int`.as('owned'))
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow();
  if (owned < maxOwned) return;
  throw new Refusal('limit_reached', {
    message: `You own ${owned} accounts; a person may own ${maxOwned}.`,
    action: 'Make another member the owner of one, then leave it.',
  });
}
